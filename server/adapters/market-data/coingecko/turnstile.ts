/** Lets at most `width` of the given tasks run at the same time; the others wait in order. */
export function turnstile(width: number): <T>(task: () => Promise<T>) => Promise<T> {
  let inside = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (inside >= width) await new Promise<void>((enter) => waiting.push(enter))
    else inside++
    try {
      return await task()
    } finally {
      // Who waits takes over the place of who leaves, so that `inside` stays as it is.
      const next = waiting.shift()
      if (next === undefined) inside--
      else next()
    }
  }
}
