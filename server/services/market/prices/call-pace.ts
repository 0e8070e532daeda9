import { POLL_INTERVAL } from '../../../../src/domain/live-prices'
import { MAX_LIST_PAGES } from '../../../adapters/market-data/coingecko/coingecko'
import type { CallPurpose, CallShare } from '../../../adapters/market-data/provider'

/** Part of a month's calls for polling and the coin list. */
const POLLING_SHARE = 0.7
/** Below this part of polling's share, a configured pace gives way to one that lasts. */
const LOW_WATER = 0.3
/** Part of a month's calls for what is fetched on demand, and the part of that which coins of no widget may take. */
const DEMAND_SHARE = 1 - POLLING_SHARE
const ASKED_PART = 1 / 3
/**
 * Part of a month's calls that each purpose may take at most. List, categories and pings take from polling's share: 67 % are left to
 * prices, whatever goes wrong elsewhere. The others share what is fetched on demand; none of them can take all of it.
 */
const PURPOSE_PARTS: Readonly<Record<CallPurpose, number>> = {
  prices: POLLING_SHARE,
  coins: 0.015,
  kinds: 0.005,
  ping: 0.01,
  history: 0.24,
  soon: 0.12,
  closes: 0.12,
  ready: 0.06,
}
/** Part of a share that may be taken on the first day; the rest comes day by day. */
const FIRST_DAY_PART = 0.2
/**
 * If calls are too scarce for all held coins in every poll, the first request runs in every poll and the rest in every
 * fourth, so each extra request costs a quarter of a call.
 */
const REST_EVERY = 4

/** Milliseconds of this month, in all and still to come. */
function monthSpan(now: number): { total: number; left: number } {
  const date = new Date(now)
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
  return { total: end - start, left: end - now }
}

export interface PollState {
  /** Calls that the month allows. */
  readonly total: number
  /** Calls of this month that polling has made. */
  readonly polled: number
  readonly now: number
}

/** Part of a month's budget that may have been taken by now: a burst at the start of the month, then evenly until its end. */
function released(now: number): number {
  const month = monthSpan(now)
  return FIRST_DAY_PART + (1 - FIRST_DAY_PART) * (1 - month.left / month.total)
}

/** Calls that may have been made on demand by now. */
export const demandAllowed = (
  { total, now }: Omit<PollState, 'polled'>,
  share: Exclude<CallShare, 'polling'>,
): number => Math.ceil(total * DEMAND_SHARE * (share === 'asked' ? ASKED_PART : 1) * released(now))

/** Calls that may have been made for a purpose by now, but at any time as many as one list of coins takes. */
export function purposeAllowed({ total, now }: Omit<PollState, 'polled'>, purpose: CallPurpose): number {
  // Polls have a pace of their own, which lasts the month.
  const part = PURPOSE_PARTS[purpose] * (purpose === 'prices' ? 1 : released(now))
  return Math.max(MAX_LIST_PAGES, Math.ceil(total * part))
}

/**
 * Milliseconds from one poll to the next.
 * @param configured PRICE_POLL_SECONDS in milliseconds, obeyed until polling's calls run low
 * @param callsPerPoll requests that one poll takes, on the average
 */
function pollPace({ total, polled, now }: PollState, configured: number | undefined, callsPerPoll: number): number {
  const share = total * POLLING_SHARE
  const remaining = share - polled
  const lasting = (monthSpan(now).left * callsPerPoll) / Math.max(1, remaining)
  if (configured === undefined) return Math.max(POLL_INTERVAL, lasting)
  return remaining > share * LOW_WATER ? configured : Math.max(configured, lasting)
}

/** How often polls of so many requests come, and whether the first request alone comes more often than the others. */
export function pollPlan(
  state: PollState,
  configured: number | undefined,
  requests: number,
): { readonly pace: number; readonly restEvery: number } {
  const whole = pollPace(state, configured, requests)
  if (whole <= pollPace(state, configured, 1)) return { pace: whole, restEvery: 1 }
  return { pace: pollPace(state, configured, 1 + (requests - 1) / REST_EVERY), restEvery: REST_EVERY }
}
