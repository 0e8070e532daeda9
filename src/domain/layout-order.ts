export interface Placed {
  readonly id: string
  readonly is_active: boolean
}

/** The first widgets of the layout are the active ones; the tier says how many. */
export const isActiveAt = (index: number, maxWidgets: number): boolean => index < maxWidgets

/**
 * The layout after a reorder, by the same rule on the server and in the overlay. Unknown ids are ignored, an id named
 * twice counts at its first place, ids left out keep their order at the end of their group. Refused if an active widget
 * would stand behind an inactive one, except in an `exchange`: then the first of the named ids are active, as many as
 * were active among them before, so that the number of active widgets stays.
 * @param current the present layout, active widgets first
 * @param ordered ids in their new order
 */
export function reorder<T extends Placed>(
  current: readonly T[],
  ordered: readonly string[],
  exchange = false,
): { readonly ok: true; readonly ids: readonly T['id'][] } | { readonly ok: false } {
  const known = new Map<string, T>(current.map((widget) => [widget.id, widget]))
  const named = [...new Set(ordered)].flatMap((id) => known.get(id) ?? [])
  const active = named.filter((widget) => widget.is_active).length
  const placed = exchange ? named.map((widget, index) => ({ ...widget, is_active: index < active })) : named
  if (placed.some((widget, index) => widget.is_active && index >= active)) return { ok: false }

  const all = [...placed, ...current.filter((widget) => !named.includes(widget))]
  const sorted = all.toSorted((a, b) => Number(b.is_active) - Number(a.is_active))
  return { ok: true, ids: sorted.map((widget) => widget.id) }
}

/** The order with two widgets exchanged; an unknown id changes nothing. */
export function withSwapped<Id extends string>(order: readonly Id[], one: Id, other: Id): readonly Id[] {
  if (!order.includes(one) || !order.includes(other)) return order
  return order.map((id) => (id === one ? other : id === other ? one : id))
}
