const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const shareList = (previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] => {
  const shared = next.map((item, index) => keepIdentity(previous[index], item))
  return previous.length === next.length && shared.every((item, index) => Object.is(item, previous[index]))
    ? previous
    : shared
}

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
 * objects anew at every write, and a card must only render when something of its own has changed.
 * Plain objects and arrays are compared by value, everything else by identity.
 */
export function keepIdentity<T>(previous: unknown, next: T): T {
  if (Object.is(previous, next)) return next
  if (Array.isArray(previous) && Array.isArray(next)) return shareList(previous, next) as T
  if (isPlain(previous) && isPlain(next)) return shareRecord(previous, next) as T
  return next
}

/** Like `keepIdentity`, but the items of a list are matched by `keyOf` instead of by their place. */
export function keepItems<T>(previous: readonly T[], next: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const known = new Map(previous.map((item) => [keyOf(item), item]))
  const shared = next.map((item) => keepIdentity(known.get(keyOf(item)), item))
  return previous.length === shared.length && shared.every((item, index) => Object.is(item, previous[index]))
    ? previous
    : shared
}
