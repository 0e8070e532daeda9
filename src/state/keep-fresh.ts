import { liveQuery } from 'dexie'
import { type Atom, atom } from 'jotai'
import type { CommandContext } from '../db/command'
import type { LocalDatabase } from '../db/database'
import { HOUR } from '../domain/granularity'
import { keepIdentity } from './keep-identity'
import { nowAtom } from './live-data'
import { refresher } from './refresher'
import type { Store } from './services'

/**
 * Milliseconds between two requests for changed prices alone. A stream changes prices every second, and the last day of
 * sixty pairs costs the web worker more than the second's prices cost the page.
 */
const PRICE_SPACING_MS = 20_000

/**
 * Without any price, closes grow old by the day (src/domain/ages.ts): an hour is near enough to the server's midnight by a clock
 * that is not the server's. The clock stands still while the page is hidden, and tells of the hours when the user returns.
 */
const hourAtom = atom((get) => Math.floor(get(nowAtom) / HOUR))

interface FreshFigures {
  /** Its changes, like other daily closes, lead to a request at once. */
  readonly basis: Atom<unknown>
  /** Its changes lead to a request with a spacing. */
  readonly prices: Atom<unknown>
  /** Asks for the figures and stores them; must not reject. */
  readonly ask: (signal: AbortSignal) => Promise<void>
}

/** Keeps figures of the web worker up to date. Returns the function that ends it. */
export function keepFresh(
  store: Store,
  { db, now }: Pick<CommandContext, 'db' | 'now'>,
  { basis, prices, ask }: FreshFigures,
): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  const refresh = refresher({ ask: () => ask(signal), spacing: PRICE_SPACING_MS, now, signal })
  followDailyCloses(db, refresh.now, signal)
  const unfollow = [store.sub(basis, refresh.now), store.sub(prices, refresh.soon), store.sub(hourAtom, refresh.soon)]
  refresh.now()
  return () => {
    stopping.abort()
    for (const end of unfollow) end()
  }
}

/**
 * Calls `changed` when other daily closes are stored than at its first look, or a matrix of another day. Reads no closes.
 * @param signal ends it
 */
function followDailyCloses(db: LocalDatabase, changed: () => void, signal: AbortSignal): void {
  let known: object | null | undefined
  const look = async () => {
    const row = await db.daily_closes.get('usd')
    return row === undefined ? null : { source: row.source, etag: row.etag, lastDay: row.last_day }
  }
  const looks = liveQuery(look).subscribe(
    (found) => {
      const before = known
      known = keepIdentity(before, found)
      if (before !== undefined && before !== known) changed()
    },
    (error: unknown) => reportError(error),
  )
  signal.addEventListener('abort', () => looks.unsubscribe(), { once: true })
}
