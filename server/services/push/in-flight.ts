/** Takes what is due, and sends it; neither rejects, but `take` where nothing can be looked for. */
interface Work<T> {
  readonly take: (most: number) => Promise<readonly T[]>
  readonly send: (one: T) => Promise<void>
}

/**
 * Sends until nothing is due, at most `most` at a time.
 * @param roundMs milliseconds after which it looks for more in any case, as some take long
 */
export async function keepInFlight<T>(most: number, roundMs: number, { take, send }: Work<T>): Promise<void> {
  const inFlight = countInFlight()
  let found: number
  let room: number
  do {
    room = most - inFlight.count()
    const some = await take(room)
    found = some.length
    for (const one of some) inFlight.add(send(one))
    // So that one claim finds work for many; no longer than a round.
    await inFlight.downTo(Math.floor(inFlight.count() / 2), roundMs)
    // Without room nothing was looked for, and all that was in flight may have ended at once.
  } while (found > 0 || room === 0 || inFlight.count() > 0)
}

/** Counts work that never rejects, and waits until little of it is left. */
function countInFlight() {
  let count = 0
  let wanted: { readonly atMost: number; readonly reached: () => void } | null = null
  return {
    count: () => count,
    add(work: Promise<void>): void {
      count += 1
      void work.then(() => {
        count -= 1
        if (wanted !== null && count <= wanted.atMost) wanted.reached()
      })
    },
    /** @param ms milliseconds after which it ends in any case */
    async downTo(atMost: number, ms: number): Promise<void> {
      if (count <= atMost) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
        wanted = { atMost, reached: resolve }
      })
      clearTimeout(timer)
      wanted = null
    },
  }
}
