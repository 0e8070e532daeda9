import type { Limits } from './tier-limits'

/*
 * A widget's checkpoints after each kind of change, decided alike by the server, by the overlay and by the draft of the
 * popover. Every result is in order, its display_order counts 0, 1, 2 …, and exactly one of it, if any, is the default.
 */
interface Listed {
  readonly id: string
  readonly is_default: boolean
  readonly display_order: number
}

const inOrder = <T extends Listed>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => a.display_order - b.display_order)

/** Numbers a list by its places; the default is the last flagged one, else the last one. */
function numbered<T extends Listed>(list: readonly T[]): T[] {
  const chosen = list.findLast((one) => one.is_default) ?? list.at(-1)
  return list.map((one, index) => {
    const is_default = one === chosen
    return one.is_default === is_default && one.display_order === index
      ? one
      : { ...one, is_default, display_order: index }
  })
}

/** Appends a checkpoint. A default one takes the flag from the others; the first of a list is the default anyway. */
export const withCheckpoint = <T extends Listed>(list: readonly T[], made: T): T[] =>
  numbered([...inOrder(list).filter((one) => one.id !== made.id), made])

/** Without these checkpoints; if the default is removed, the last remaining one becomes it. */
export const withoutCheckpoints = <T extends Listed>(list: readonly T[], ids: readonly string[]): T[] =>
  numbered(inOrder(list).filter((one) => !ids.includes(one.id)))

/**
 * In the order of `ids`. Unknown ids are ignored, an id named twice counts at its first place, checkpoints left out keep
 * their order at the end.
 */
export function reorderedCheckpoints<T extends Listed>(list: readonly T[], ids: readonly string[]): T[] {
  const current = inOrder(list)
  const named = [...new Set(ids)].flatMap((id) => current.find((one) => one.id === id) ?? [])
  return numbered([...new Set([...named, ...current])])
}

/** With another default; an unknown id changes nothing. */
export function withDefault<T extends Listed>(list: readonly T[], id: string): T[] {
  const current = inOrder(list)
  if (!current.some((one) => one.id === id)) return numbered(current)
  return numbered(
    current.map((one) => (one.is_default === (one.id === id) ? one : { ...one, is_default: one.id === id })),
  )
}

/** The sentence that refuses one more checkpoint, or null where there is room. */
export const checkRoomForCheckpoint = (count: number, { max_checkpoints_per_widget: most }: Limits): string | null =>
  count < most ? null : `You have reached the limit of ${most} checkpoints for this widget on your current tier.`
