import { setTimeout as delay } from 'node:timers/promises'

/** Time for others to ask as well, so that they share one request. Milliseconds. */
const GATHER = 100
/** From one request out of turn to the next, and after one that failed. Milliseconds. */
const SPACING = 1_000
const SPACING_AFTER_FAILURE = 10_000
/** How long whoever asks waits for an answer before making do with what is stored. Milliseconds. */
const PATIENCE = 2_000
/** How long a coin that was asked for out of turn is left to the regular polls. Milliseconds. */
const REST = 60_000

export interface SoonFetcher {
  /** Resolves when the prices are there, or patience is over. */
  ask(ids: readonly string[]): Promise<void>
  /** Resolves when nothing is under way; what has not begun is given up. */
  settled(): Promise<void>
}

/**
 * Fetches prices out of turn: a coin that was just added need not wait for the next poll. Who asks at the same time
 * shares one request, and a coin is not asked for again at once, whatever came of it.
 * @param fetch says whether it succeeded; must not throw
 */
export function soonFetcher(fetch: (ids: readonly string[]) => Promise<boolean>, clock: () => number): SoonFetcher {
  const askedAt = new Map<string, number>()
  const closing = new AbortController()
  let gathering: { readonly ids: Set<string>; readonly done: Promise<void> } | null = null
  let last: Promise<void> = Promise.resolve()
  let nextAt = 0

  async function run(ids: ReadonlySet<string>, after: Promise<void>): Promise<void> {
    await after
    // An abort ends the pause early; what it means is looked at below.
    await delay(Math.max(GATHER, nextAt - performance.now()), undefined, { signal: closing.signal }).catch(
      () => undefined,
    )
    gathering = null
    if (closing.signal.aborted) return
    const succeeded = await fetch([...ids])
    nextAt = performance.now() + (succeeded ? SPACING : SPACING_AFTER_FAILURE)
  }

  return {
    ask: async (ids) => {
      const now = clock()
      const due = ids.filter((id) => Math.abs(now - (askedAt.get(id) ?? -Infinity)) >= REST)
      if (due.length === 0 || closing.signal.aborted) return
      for (const id of due) askedAt.set(id, now)
      if (gathering === null) {
        const mine = new Set<string>()
        gathering = { ids: mine, done: run(mine, last) }
        last = gathering.done
      }
      for (const id of due) gathering.ids.add(id)
      await Promise.race([gathering.done, delay(PATIENCE, undefined, { ref: false })])
    },
    settled: async () => {
      closing.abort()
      await last
    },
  }
}
