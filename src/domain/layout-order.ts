export interface Placed {
  readonly id: string
  readonly is_active: boolean
}

export type Reordered<Id extends string> = { readonly ok: true; readonly ids: readonly Id[] } | { readonly ok: false }

/** The first widgets of the layout are the active ones; the tier says how many. */
export const isActiveAt = (index: number, maxWidgets: number): boolean => index < maxWidgets

/**
 * The layout after a reorder, decided alike by the server and by the overlay. Unknown ids are ignored, an id named
 * twice counts at its first place, ids left out keep their order at the end of their group. Refused only where an
 * active widget would stand behind an inactive one.
 * @param current the present layout, active widgets first
 * @param wished ids in the wished order
 */
export function reorder<T extends Placed>(current: readonly T[], wished: readonly string[]): Reordered<T['id']> {
  const known = new Map<string, T>(current.map((widget) => [widget.id, widget]))
  const named = [...new Set(wished)].flatMap((id) => known.get(id) ?? [])
  const firstInactive = named.findIndex((widget) => !widget.is_active)
  if (firstInactive >= 0 && named.slice(firstInactive).some((widget) => widget.is_active)) return { ok: false }

  const all = [...new Set([...named, ...current])]
  const active = all.filter((widget) => widget.is_active)
  const inactive = all.filter((widget) => !widget.is_active)
  return { ok: true, ids: [...active, ...inactive].map((widget) => widget.id) }
}
