import {
  AS_OF_HEADER,
  type MarketSource,
  providerTimeOf,
  readableSimplePrice,
  type SimplePrice,
  SOURCE_HEADER,
} from '../contract/market'
import type { Config } from '../contract/settings'
import { type LocalDatabase, readMeta, readPrices, writeMeta } from '../db/database'
import type { MetaRows, Price } from '../db/rows'
import { arePricesOurs } from '../db/price-origin'
import { noteServerTime } from '../db/server-clock'
import { readSnapshot, snapshotTables } from '../db/board-rows'
import { storeMeta, writeTransaction } from '../db/write-transaction'
import { type PolledPrice, writePrices } from '../db/write-prices'
import { messageOf } from '../domain/error-message'
import type { CoinId } from '../domain/ids'
import { POLL_INTERVAL } from '../domain/live-prices'
import { isPrice } from '../domain/series'
import { type Answer, exchange, type RawAnswer, readAnswer, unanswered } from './request'
import { isFollowed, isRetryDue, isSpaced, LONGEST_WAIT } from './pacing'
import type { EngineEnv } from './env'
import { pullWhereCrossed } from './pull-where-crossed'
import { endProblem, report } from './report'
import { agreesOnSource } from './reference-data'

/** Milliseconds at which prices are to be fetched next; null: there is nothing to fetch. */
export async function pricesNextDueAt({ db, now }: EngineEnv): Promise<number | null> {
  const coins = await watchedCoins(db)
  const [known, poll] = await Promise.all([readPrices(db), readMeta(db, 'price_poll')])
  // Without settings there is nowhere to ask; those have a time of their own.
  if ((await readMeta(db, 'config')) === undefined) return null
  const streamed = await areStreamed({ db, now })
  const next = nextPoll(coins, known?.prices ?? {}, poll, now(), streamed)
  return next?.at ?? null
}

/** True if there is something to fetch, or a problem to end. */
export async function arePricesDue(env: EngineEnv): Promise<boolean> {
  const at = await pricesNextDueAt(env)
  if (at !== null) return at <= env.now()
  // With the last pair removed, no answer will come that could end the problem.
  return (await readMeta(env.db, 'sync_state'))?.problems.prices !== undefined
}

/** True while a stream brings prices, or is being opened anew. */
async function areStreamed(env: Pick<EngineEnv, 'db' | 'now'>): Promise<boolean> {
  const stream = await readMeta(env.db, 'stream')
  return stream?.kind === 'live' && !stream.prices ? false : isFollowed(env)
}

/** Fetches the prices of all coins on the board, if they are due. */
export async function syncPrices(env: EngineEnv): Promise<void> {
  const { db, now } = env
  const config = (await readMeta(db, 'config'))?.config
  // The settings name the address of prices: they come first.
  if (config === undefined) return
  const coins = await claimPoll(env)
  if (coins === null) {
    if ((await watchedCoins(db)).length === 0) await endProblem(env, 'prices')
    return
  }

  const begun = now()
  const { answer, source, ...times } = await fetchPrices(env, config, coins)
  const { answeredAt } = times
  if (answeredAt !== null) await noteServerTime(db, answeredAt, now())
  if (answer.kind === 'ok') {
    // A provider other than this server names no source; the settings' source holds then.
    const from = source ?? config.market_data.source
    if (await agreesOnSource(env, from)) {
      // Counted from the request on: an answer that was long under way has grown no younger.
      const accepted = acceptedPrices(answer.value as SimplePrice, coins, times, begun)
      const serverTime = answeredAt === null ? now() : answeredAt + Math.max(0, now() - begun)
      await writePrices(db, from as MarketSource, accepted, now(), serverTime)
      if (arePricesOurs(config, env.origin)) await pullWhereCrossed(env)
    }
    return report(env, 'prices', { kind: 'ok' })
  }
  if (answer.kind !== 'refused' && answer.kind !== 'unavailable') return
  if (answer.kind === 'unavailable' && answer.retryAfter !== null) {
    const poll = await readMeta(db, 'price_poll')
    const notBefore = now() + Math.min(LONGEST_WAIT, answer.retryAfter)
    if (poll !== undefined) await storeMeta(db, 'price_poll', { ...poll, not_before: notBefore })
  }
  const sentence = `Failed to fetch latest prices. Error: ${answer.message}`
  return report(env, 'prices', { kind: 'failed', status: answer.status, sentence })
}

/** The coins to ask for; null: another context asked a short while ago, or there are none. */
async function claimPoll({ db, now }: EngineEnv): Promise<readonly CoinId[] | null> {
  const [coins, known, streamed] = await Promise.all([watchedCoins(db), readPrices(db), areStreamed({ db, now })])
  return writeTransaction(db, [db.meta], async () => {
    const poll = await readMeta(db, 'price_poll')
    const next = nextPoll(coins, known?.prices ?? {}, poll, now(), streamed)
    if (next === null || next.at > now()) return null
    const isRound = poll === undefined || next.coins === coins
    const round = { attempted_at: now(), not_before: 0, asked: coins }
    await writeMeta(db, 'price_poll', isRound ? round : { ...poll, asked: [...poll.asked, ...next.coins] })
    return next.coins
  })
}

/** By the server's clock, milliseconds; null: the answer does not say. */
interface AnswerTimes {
  readonly answeredAt: number | null
  /** When the newest of the prices was stored; an earlier version and other providers do not say. */
  readonly asOf: number | null
}

interface PriceAnswer extends AnswerTimes {
  readonly answer: Answer
  /** Source that the server names; null: none. */
  readonly source: string | null
}

async function fetchPrices(env: EngineEnv, { market_data }: Config, coins: readonly CoinId[]): Promise<PriceAnswer> {
  const url = new URL(`${market_data.price_url}/simple/price`, env.origin)
  const query = { ids: coins.join(','), vs_currencies: 'usd', include_last_updated_at: 'true' }
  url.search = new URLSearchParams(query).toString()
  try {
    const raw = await exchange(env, url.href, {
      method: 'GET',
      headers: { Accept: 'application/json' },
      // The browser keeps the answer and asks with its ETag: unchanged prices are a 304, which the engine does not see.
      cache: 'no-cache',
    })
    return {
      answer: readAnswer({ answer: readableSimplePrice }, raw, env.now()),
      answeredAt: answerTimeOf(raw),
      asOf: timeIn(raw.header(AS_OF_HEADER)),
      source: raw.header(SOURCE_HEADER),
    }
  } catch (error) {
    return { answer: { ...unanswered(error), message: messageOf(error) }, answeredAt: null, asOf: null, source: null }
  }
}

const timeIn = (header: string | null): number | null =>
  header !== null && Number.isFinite(Number(header)) ? Number(header) : null

/** The server's time now, by an answer that a shared cache may have kept for `Age` seconds; null: the answer does not say. */
function answerTimeOf({ header }: RawAnswer): number | null {
  const madeAt = Date.parse(header('date') ?? '')
  const age = Number(header('age') ?? 0)
  if (!Number.isFinite(madeAt)) return null
  return madeAt + (age > 0 && Number.isFinite(age) ? age * 1000 : 0)
}

/** The coins of all pairs on the board, inactive and unsent ones too, in alphabetical order. */
export async function watchedCoins(db: LocalDatabase): Promise<readonly CoinId[]> {
  const snapshot = await db.transaction('r', [...snapshotTables(db)], () => readSnapshot(db))
  const coins = new Set(snapshot?.shown.flatMap((widget) => [widget.coin_a_id, widget.coin_b_id]))
  return [...coins].toSorted((a, b) => (a < b ? -1 : 1))
}

/**
 * Time (milliseconds) and coins of the next poll; null: there is nothing to fetch. A round asks for all `coins`, at most
 * every 75 s. The coins of a pair just added have no price yet: they are asked for once before the next round, alone,
 * which does not move the rounds.
 * @param streamed a stream brings the prices of the others: there are no rounds
 */
export function nextPoll(
  coins: readonly CoinId[],
  known: Readonly<Record<CoinId, Price>>,
  poll: MetaRows['price_poll'] | undefined,
  now: number,
  streamed = false,
): { readonly at: number; readonly coins: readonly CoinId[] } | null {
  if (coins.length === 0) return null
  if (poll !== undefined && !isRetryDue(poll.not_before, now)) return streamed ? null : { at: poll.not_before, coins }
  if (!streamed && (poll === undefined || isSpaced(poll.attempted_at, POLL_INTERVAL, now))) return { at: now, coins }
  const added = coins.filter((coin) => known[coin] === undefined && poll?.asked.includes(coin) !== true)
  if (added.length > 0) return { at: now, coins: added }
  return streamed || poll === undefined ? null : { at: poll.attempted_at + POLL_INTERVAL, coins }
}

/**
 * Acceptable prices of an answer: a coin without one keeps the price it had. A price has the age that the answer gives:
 * a server whose provider fails goes on serving old prices. Of a provider that says nothing else, the price's own time
 * says which of two answers is the later one.
 * @param now milliseconds, of this device
 */
export function acceptedPrices(
  answer: SimplePrice,
  asked: readonly CoinId[],
  { answeredAt, asOf: storedAt }: AnswerTimes,
  now: number,
): ReadonlyMap<CoinId, PolledPrice> {
  const accepted = new Map<CoinId, PolledPrice>()
  for (const coin of asked) {
    const { usd, via, ...times } = Object.hasOwn(answer, coin) ? answer[coin]! : {}
    if (!isPrice(usd)) continue
    const asOf = storedAt ?? answeredAt ?? providerTimeOf(times)
    const providerTime = localTime(providerTimeOf(times), answeredAt, now)
    accepted.set(coin, { usd, providerTime, ...(via !== undefined && { via }), ...(asOf !== null && { asOf }) })
  }
  return accepted
}

/**
 * The provider's time of a price by this device's clock. Its age is taken between two times of the server, so that a wrong
 * clock here does not matter.
 * @param answeredAt the server's time of the answer, milliseconds; null: not said
 */
export const localTime = (providerTime: number | null, answeredAt: number | null, now: number): number =>
  answeredAt === null || providerTime === null ? now : now - Math.max(0, answeredAt - providerTime)
