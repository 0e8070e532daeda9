import { setTimeout as delay } from 'node:timers/promises'
import type { CallShare } from '../../adapters/market-data/provider'

/** Time for others to ask as well, so that they share one request. Milliseconds. */
const GATHER = 100
/** From one request out of turn to the next, and after one that failed, doubled from failure to failure. Milliseconds. */
const SPACING = 1_000
const SPACING_AFTER_FAILURE = 10_000
const LONGEST_SPACING = 5 * 60_000
/** How long whoever asks waits for an answer before making do with what is stored. Milliseconds. */
const PATIENCE = 2_000
/** How long a coin that was asked for out of turn is left to the regular polls. Milliseconds. */
const REST = 60_000

type SoonShare = Exclude<CallShare, 'polling'>

export interface SoonFetcher {
  /** Those of these coins that were not asked for a short while ago. */
  due(ids: readonly string[]): readonly string[]
  /** Resolves when the prices are there, or patience is over. */
  ask(ids: readonly string[], share: SoonShare): Promise<void>
  /** Resolves when nothing is under way; what has not begun is given up. */
  settled(): Promise<void>
}

/**
 * Fetches prices out of turn: a coin that was just added need not wait for the next poll. Who asks at the same time
 * shares one request, and a coin is not asked for again at once, whatever came of it.
 * @param fetch says whether it succeeded; must not throw
 */
export function soonFetcher(
  fetch: (ids: readonly string[], share: SoonShare) => Promise<boolean>,
  clock: () => number,
): SoonFetcher {
  const askedAt = new Map<string, number>()
  const closing = new AbortController()
  let gathering: { readonly ids: Set<string>; share: SoonShare; readonly done: Promise<void> } | null = null
  let last: Promise<void> = Promise.resolve()
  let nextAt = 0
  let failures = 0

  async function run(
    batch: { readonly ids: ReadonlySet<string>; readonly share: SoonShare },
    after: Promise<void>,
  ): Promise<void> {
    await after
    // An abort ends the pause early; what it means is looked at below.
    await delay(Math.max(GATHER, nextAt - performance.now()), undefined, { signal: closing.signal }).catch(
      () => undefined,
    )
    gathering = null
    if (closing.signal.aborted) return
    const succeeded = await fetch([...batch.ids], batch.share)
    const spacing = Math.min(LONGEST_SPACING, SPACING_AFTER_FAILURE * 2 ** failures)
    nextAt = performance.now() + (succeeded ? SPACING : spacing)
    failures = succeeded ? 0 : Math.min(failures + 1, 10)
  }

  const dueAt = (now: number, ids: readonly string[]): readonly string[] =>
    ids.filter((id) => Math.abs(now - (askedAt.get(id) ?? -Infinity)) >= REST)

  return {
    due: (ids) => dueAt(clock(), ids),
    ask: async (ids, share) => {
      const now = clock()
      const due = dueAt(now, ids)
      if (due.length === 0 || closing.signal.aborted) return
      for (const id of due) askedAt.set(id, now)
      if (gathering === null) {
        const batch = { ids: new Set<string>(), share }
        gathering = Object.assign(batch, { done: run(batch, last) })
        last = gathering.done
      }
      for (const id of due) gathering.ids.add(id)
      // One request for both: what was merely asked for comes along.
      if (share === 'held') gathering.share = share
      await Promise.race([gathering.done, delay(PATIENCE, undefined, { ref: false })])
    },
    settled: async () => {
      closing.abort()
      await last
    },
  }
}
