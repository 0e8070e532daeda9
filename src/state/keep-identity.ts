import { atom, type Atom, type Getter } from 'jotai'

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const ifEqual = <T>(previous: readonly T[], next: readonly T[]): readonly T[] =>
  previous.length === next.length && next.every((item, index) => Object.is(item, previous[index])) ? previous : next

const isSameColumn = (previous: Float64Array, next: Float64Array): boolean =>
  previous.length === next.length && next.every((value, index) => Object.is(value, previous[index]))

const shareRecord = (previous: Record<string, unknown>, next: Record<string, unknown>): Record<string, unknown> => {
  const keys = Object.keys(next)
  const shared: Record<string, unknown> = {}
  let same = keys.length === Object.keys(previous).length
  for (const key of keys) {
    shared[key] = keepIdentity(previous[key], next[key])
    same &&= key in previous && Object.is(shared[key], previous[key])
  }
  return same ? previous : shared
}

/**
 * `next`, with every part that equals its counterpart in `previous` replaced by that counterpart: a live query makes all
 * objects anew at every write, and a card must render only when its own data have changed.
 * Plain objects, arrays and columns are compared by value, everything else by identity.
 */
export function keepIdentity<T>(previous: unknown, next: T): T {
  if (Object.is(previous, next)) return next
  if (Array.isArray(previous) && Array.isArray(next)) {
    return ifEqual(
      previous,
      next.map((item: unknown, index) => keepIdentity(previous[index], item)),
    ) as T
  }
  if (previous instanceof Float64Array && next instanceof Float64Array) {
    return (isSameColumn(previous, next) ? previous : next) as T
  }
  if (isPlain(previous) && isPlain(next)) return shareRecord(previous, next) as T
  return next
}

/** Like `keepIdentity`, but the items of a list are matched by `keyOf` instead of by their place. */
export function keepItems<T>(previous: readonly T[], next: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const known = new Map(previous.map((item) => [keyOf(item), item]))
  return ifEqual(
    previous,
    next.map((item) => keepIdentity(known.get(keyOf(item)), item)),
  )
}

/** True if both are equal by value, as far as `keepIdentity` compares by value. */
export const isEqual = (one: unknown, other: unknown): boolean => Object.is(keepIdentity(one, other), one)

/** An atom whose value keeps its identity while it stays equal: who reads it hears of changes alone. */
export function steadyAtom<T>(read: (get: Getter) => T): Atom<T> {
  let known: T
  return atom((get) => (known = keepIdentity(known, read(get))))
}
