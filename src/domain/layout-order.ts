export interface Placed {
  readonly id: string
  readonly is_active: boolean
}

export type Reordered<Id extends string> = { readonly ok: true; readonly ids: readonly Id[] } | { readonly ok: false }

/** The first widgets of the layout are the active ones; the tier says how many. */
export const isActiveAt = (index: number, maxWidgets: number): boolean => index < maxWidgets

/**
 * The layout after a reorder, decided alike by the server and by the overlay. Unknown ids are ignored, an id named
 * twice counts at its first place, ids left out keep their order at the end of their group. Refused where an active
 * widget would stand behind an inactive one, unless it is an `exchange`: then the first of the named ids are active, as
 * many as were active among them before, so that the number of active widgets stays.
 * @param current the present layout, active widgets first
 * @param wished ids in the wished order
 */
export function reorder<T extends Placed>(
  current: readonly T[],
  wished: readonly string[],
  exchange = false,
): Reordered<T['id']> {
  const known = new Map<string, T>(current.map((widget) => [widget.id, widget]))
  const named = [...new Set(wished)].flatMap((id) => known.get(id) ?? [])
  const groups = exchange ? exchanged(named) : named
  if (isMixed(groups)) return { ok: false }

  const left = current.filter((widget) => !named.includes(widget))
  const all = [...groups, ...left]
  const active = all.filter((widget) => widget.is_active)
  const inactive = all.filter((widget) => !widget.is_active)
  return { ok: true, ids: [...active, ...inactive].map((widget) => widget.id) }
}

const isMixed = (widgets: readonly Placed[]): boolean => {
  const firstInactive = widgets.findIndex((widget) => !widget.is_active)
  return firstInactive >= 0 && widgets.slice(firstInactive).some((widget) => widget.is_active)
}

/** The same widgets, active ones first. */
function exchanged<T extends Placed>(named: readonly T[]): readonly T[] {
  const active = named.filter((widget) => widget.is_active).length
  return named.map((widget, index) => ({ ...widget, is_active: index < active }))
}

/** The order in which two widgets have changed places; an id that is not there changes nothing. */
export function withSwapped<Id extends string>(order: readonly Id[], one: Id, other: Id): readonly Id[] {
  if (!order.includes(one) || !order.includes(other)) return order
  return order.map((id) => (id === one ? other : id === other ? one : id))
}
