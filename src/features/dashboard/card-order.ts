/** `items` in the order of `keys`; what `keys` does not name keeps its order at the end. */
export function inOrder<T>(items: readonly T[], keys: readonly string[], keyOf: (item: T) => string): readonly T[] {
  const places = new Map(keys.map((key, index) => [key, index]))
  const placeOf = (item: T) => places.get(keyOf(item)) ?? keys.length
  return items.toSorted((a, b) => placeOf(a) - placeOf(b))
}
