export type DropdownSide = 'top' | 'bottom'

/** Pixels below a field that a list needs to open downwards. */
const MIN_BELOW = 300

/** The specification's rule: upward when less than 300 px of space is below and more room is above. */
export function dropdownSide(
  field: { readonly top: number; readonly bottom: number },
  viewportHeight: number,
): DropdownSide {
  const below = viewportHeight - field.bottom
  return below < MIN_BELOW && field.top > below ? 'top' : 'bottom'
}
