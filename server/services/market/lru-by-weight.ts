/**
 * Values by key. Once all together weigh more than `most`, those that nobody has used for longest are given up.
 * @param weightOf must not change as long as the value is held
 */
export function lruByWeight<V>(most: number, weightOf: (value: V) => number) {
  // A Map keeps the order in which keys were set: what was used last stands at the end.
  const held = new Map<string, V>()
  let total = 0

  function remove(key: string): void {
    const value = held.get(key)
    if (value === undefined) return
    held.delete(key)
    total -= weightOf(value)
  }

  return {
    get: (key: string): V | undefined => {
      const value = held.get(key)
      if (value === undefined) return undefined
      held.delete(key)
      held.set(key, value)
      return value
    },
    set: (key: string, value: V): void => {
      remove(key)
      held.set(key, value)
      total += weightOf(value)
      for (const oldest of held.keys()) {
        if (total <= most) return
        remove(oldest)
      }
    },
  }
}
