/** More keys than there are good ones: whoever invents others must not fill our memory. */
const MOST = 1_000

interface Options<T> {
  readonly make: (key: string) => T
  /** Milliseconds. */
  readonly lifetime: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Makes something for a key, and gives the same again until its time is over. What fails (a promise) is not kept. */
export function remember<T>({ make, lifetime, clock }: Options<T>): (key: string) => T {
  const kept = new Map<string, { readonly value: T; readonly until: number }>()
  return (key) => {
    const now = clock()
    const known = kept.get(key)
    // A time further ahead than it can be was reckoned while the clock was wrong.
    if (known !== undefined && known.until > now && known.until <= now + lifetime) return known.value
    if (kept.size >= MOST) kept.clear()
    const value = make(key)
    kept.set(key, { value, until: now + lifetime })
    if (value instanceof Promise) value.catch(() => kept.delete(key))
    return value
  }
}
