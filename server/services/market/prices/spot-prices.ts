import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { MINUTE } from '../../../../src/domain/granularity'
import { POLL_INTERVAL } from '../../../../src/domain/live-prices'
import { pauseAfter, withTimeLimit } from '../../../../src/domain/waits'
import type { CallShare } from '../../../adapters/market-data/provider'
import { addressKeys } from '../../../http/addresses'
import { nodeTimer } from '../../../waits'
import type { Charge } from '../../address-limits'
import { heldAmong, noteAsked, notedAmong } from './watched-coins'
import type { CoinList, KnownCoin } from '../coin-list'
import { lruByWeight } from '../lru-by-weight'
import type { Polling } from './polling'
import type { LatestPrices, ServedPrice, StoredPrice } from './stored-prices'

/** How often an interest in a coin is written down. Milliseconds. */
const NOTE_EVERY = 30 * MINUTE
/** Times the round of polls after which a price counts as missed by them. */
const MISSED = 1.5

interface SpotPricesDeps {
  readonly pool: Pool
  readonly clock: () => number
  readonly list: CoinList
  readonly latest: LatestPrices
  readonly polls: Polling
  readonly soon: SoonFetcher
  readonly charge: Charge
}

/** Coins that are looked after for one address in a minute: those of a hundred boards, or ten times all. */
const MAX_LOOKED_AFTER = 5_000
/** Addresses that are counted apart; beyond that all begin anew. */
const MAX_ADDRESSES = 10_000

/**
 * Counts the coins that addresses ask for, by their number: a question for all of them costs statements over all of them.
 * @returns false where an address has asked for too many of late: it gets what is stored, and nothing is done for it
 */
function coinsByAddress(clock: () => number): (ip: string | undefined, coins: number) => boolean {
  const counted = new Map<string, { coins: number; readonly until: number }>()
  return (ip, coins) => {
    if (ip === undefined) return true
    const { host } = addressKeys(ip)
    const now = clock()
    const there = counted.get(host)
    const running = there !== undefined && Math.abs(there.until - now) <= MINUTE && there.until > now
    const period = running ? there : { coins: 0, until: now + MINUTE }
    if (period.coins >= MAX_LOOKED_AFTER) return false
    period.coins += coins
    if (counted.size >= MAX_ADDRESSES) counted.clear()
    counted.set(host, period)
    return true
  }
}

const idOf = ({ id }: KnownCoin): string => id
const keyOf = ({ key }: KnownCoin): number => key

/**
 * Answers with the prices that are stored. Coins that nobody has a widget of are noted as asked for, and prices that
 * polls have missed are fetched out of turn, as far as the address may have that done and has not asked for many of late.
 */
export function servePrices({ pool, clock, list, latest, polls, soon, charge }: SpotPricesDeps) {
  const notedAt = new Map<number, number>()

  /** The first of these that the address may ask for. */
  async function charged<T>(kind: Parameters<Charge>[0], ip: string | undefined, coins: readonly T[]): Promise<T[]> {
    const allowed: T[] = []
    for (const coin of coins) {
      if (!(await charge(kind, ip))) break
      allowed.push(coin)
    }
    return allowed
  }

  async function note(coins: readonly KnownCoin[], ip: string | undefined, now: number): Promise<void> {
    const due = coins.filter(({ key }) => Math.abs(now - (notedAt.get(key) ?? -Infinity)) > NOTE_EVERY)
    if (due.length === 0) return
    const held = await heldAmong(pool, due.map(idOf))
    const asked = due.filter(({ id }) => !held.has(id))
    const known = await notedAmong(pool, asked.map(keyOf), now)
    const isKnown = ({ key }: KnownCoin) => known.has(key)
    const fresh = await charged(
      'asked-price',
      ip,
      asked.filter((coin) => !isKnown(coin)),
    )
    const noted = [...asked.filter(isKnown), ...fresh]
    for (const { key } of [...noted, ...due.filter(({ id }) => held.has(id))]) notedAt.set(key, now)
    if (noted.length > 0) await noteAsked(pool, noted.map(keyOf), now)
  }

  async function fetchMissed(coins: readonly KnownCoin[], ip: string | undefined, now: number): Promise<void> {
    const prices = await latest.all()
    const olderThan = (age: number) => (id: string) => Math.abs(now - (prices.get(id)?.fetchedAt ?? -Infinity)) > age
    const stale = soon.due(coins.map(idOf).filter(olderThan(MISSED * POLL_INTERVAL)))
    if (stale.length === 0) return
    const missed = stale.filter(olderThan(MISSED * Math.max(POLL_INTERVAL, await polls.round())))
    const held = await heldAmong(pool, missed)
    const isHeld = (id: string) => held.has(id)
    const theirs = await charged('held-price', ip, missed.filter(isHeld))
    const others = await charged(
      'asked-price',
      ip,
      missed.filter((id) => !isHeld(id)),
    )
    await Promise.all([soon.ask(theirs, 'held'), soon.ask(others, 'asked')])
  }

  const pick = pricePicker()
  const mayLookAfter = coinsByAddress(clock)
  return async (ids: readonly string[], ip?: string): Promise<ReadonlyMap<string, ServedPrice>> => {
    const now = clock()
    const byId = await list.byId()
    // In order: the same coins are the same set, however they were asked for.
    const coins = [...new Set(ids)].toSorted().flatMap((id) => byId.get(id) ?? [])
    if (mayLookAfter(ip, coins.length)) {
      await note(coins, ip, now)
      await fetchMissed(coins, ip, now)
    }
    return pick(await latest.all(), coins.map(idOf))
  }
}

/** Ids in all picked sets together. */
const MAX_PICKED = 20_000

interface PickedPrices {
  readonly ids: readonly string[]
  readonly prices: ReadonlyMap<string, ServedPrice>
}

/** Picks the prices of a set of coins: the same map for the same ids, as long as no price was stored. */
function pricePicker(): (
  prices: ReadonlyMap<string, StoredPrice>,
  ids: readonly string[],
) => ReadonlyMap<string, ServedPrice> {
  const none = () => lruByWeight<PickedPrices>(MAX_PICKED, (set) => set.ids.length + 1)
  let sets = none()
  let pickedFrom: ReadonlyMap<string, StoredPrice> | null = null
  return (prices, ids) => {
    if (prices !== pickedFrom) sets = none()
    pickedFrom = prices
    const key = ids.join()
    const known = sets.get(key)
    if (known !== undefined) return known.prices
    const picked = new Map<string, ServedPrice>()
    for (const id of ids) {
      const price = prices.get(id)
      if (price === undefined) continue
      const { usd, providerTime, fetchedAt, via } = price
      picked.set(id, { usd, providerTime, fetchedAt, ...(via !== null && { via }) })
    }
    sets.set(key, { ids, prices: picked })
    return picked
  }
}

/** Time for others to ask as well, so that they share one request. Milliseconds. */
const GATHER_MS = 100
/** From one request out of turn to the next, and after one that failed. Milliseconds. */
const SPACING_MS = 1_000
const SPACING_AFTER_FAILURES = { first: 10_000, growth: 2, longest: 5 * MINUTE }
/** A caller that has waited so long makes do with what is stored. */
const SOON_TIMEOUT_MS = 2_000
/** How long a coin that was asked for out of turn is left to the regular polls. Milliseconds. */
const COIN_REST_MS = MINUTE

type SoonShare = Exclude<CallShare, 'polling'>
type SoonFetcher = ReturnType<typeof soonFetcher>

/**
 * Fetches prices out of turn: a coin that was just added need not wait for the next poll. Callers at the same time share
 * one request, and a coin is not asked for again at once, whatever came of it.
 * @param fetch resolves with true if it succeeded; must not throw
 */
export function soonFetcher(
  fetch: (ids: readonly string[], share: SoonShare) => Promise<boolean>,
  clock: () => number,
) {
  const askedAt = new Map<string, number>()
  const closing = new AbortController()
  let gathering: { readonly ids: Set<string>; share: SoonShare; readonly done: Promise<void> } | null = null
  let last: Promise<void> = Promise.resolve()
  let nextAt = 0
  let failures = 0

  async function run(batch: { readonly ids: ReadonlySet<string>; readonly share: SoonShare }, after: Promise<void>) {
    await after
    const pause = Math.max(GATHER_MS, nextAt - performance.now())
    // An abort ends the pause early; the check below stops the fetch.
    await delay(pause, undefined, { signal: closing.signal }).catch(() => undefined)
    gathering = null
    if (closing.signal.aborted) return
    const succeeded = await fetch([...batch.ids], batch.share)
    failures = succeeded ? 0 : failures + 1
    nextAt = performance.now() + (succeeded ? SPACING_MS : pauseAfter(failures, SPACING_AFTER_FAILURES))
  }

  const dueAt = (now: number, ids: readonly string[]): readonly string[] =>
    ids.filter((id) => Math.abs(now - (askedAt.get(id) ?? -Infinity)) >= COIN_REST_MS)

  return {
    /** Those of these coins that were not asked for a short while ago. */
    due: (ids: readonly string[]): readonly string[] => dueAt(clock(), ids),
    /** Resolves when the prices are there, or SOON_TIMEOUT_MS is over. */
    ask: async (ids: readonly string[], share: SoonShare): Promise<void> => {
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
      await withTimeLimit(nodeTimer, SOON_TIMEOUT_MS, gathering.done, () => undefined)
    },
    /** Resolves when nothing is under way; a request that has not begun is given up. */
    stop: async (): Promise<void> => {
      closing.abort()
      await last
    },
  }
}
