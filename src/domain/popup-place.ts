interface Box {
  readonly top: number
  readonly right: number
  readonly bottom: number
}
interface Size {
  readonly width: number
  readonly height: number
}

/** Pixels between a menu and its handle, and between a menu and the edge of the window. */
const GAP = 4
const EDGE = 8

/** Upper left corner of a menu: right edges in line, below its handle, or above it where it would not fit. */
export function menuPlace(handle: Box, menu: Size, viewport: Size) {
  const below = handle.bottom + GAP
  const fits = below + menu.height <= viewport.height - EDGE
  const top = fits ? below : Math.max(EDGE, handle.top - GAP - menu.height)
  return { left: Math.max(EDGE, handle.right - menu.width), top }
}

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
