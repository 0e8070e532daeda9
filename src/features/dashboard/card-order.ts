/** `keys` with the one at `from` moved to `to`; both are clamped to the list. */
export function moved<T>(keys: readonly T[], from: number, to: number): readonly T[] {
  const rest = [...keys]
  const taken = rest.splice(from, 1)
  rest.splice(Math.max(0, to), 0, ...taken)
  return rest
}

/** `items` in the order of `keys`; what `keys` does not name keeps its order at the end. */
export function inOrder<T>(items: readonly T[], keys: readonly string[], keyOf: (item: T) => string): readonly T[] {
  const places = new Map(keys.map((key, index) => [key, index]))
  const placeOf = (item: T) => places.get(keyOf(item)) ?? keys.length
  return items.toSorted((a, b) => placeOf(a) - placeOf(b))
}
