import { type MarketSource, readableSimplePrice, type SimplePrice, SOURCE_HEADER } from '../contract/market'
import type { Config } from '../contract/settings'
import type { CoinId } from '../domain/ids'
import { readMeta, writeMeta } from '../db/queries/meta'
import { readPrices } from '../db/queries/prices'
import { writePrices } from '../db/write-prices'
import { noteServerTime } from '../db/server-clock'
import { type Answer, readAnswer } from './answer'
import { LONGEST_WAIT } from './backoff'
import type { EngineEnv } from './env'
import { acceptedPrices, nextAttempt, pricesDueAt } from './price-rules'
import { endProblem, report } from './report'
import { exchange } from './request'
import { agreesOnSource } from './settings'
import { watchedCoins } from './watched-coins'
import { writeTransaction } from '../db/with-room'
import { storeMeta } from '../db/store-meta'

/** Milliseconds at which prices are to be fetched next; null: there is nothing to fetch. */
export async function pricesNextDueAt({ db, now }: EngineEnv): Promise<number | null> {
  const [coins, known, poll] = await Promise.all([watchedCoins(db), readPrices(db), readMeta(db, 'price_poll')])
  // Without settings there is nowhere to ask; those have a time of their own.
  if ((await readMeta(db, 'config')) === undefined) return null
  return pricesDueAt(coins, known?.prices ?? {}, poll, now())
}

/** Fetches the prices of all coins on the board, where it is time to. */
export async function syncPrices(env: EngineEnv): Promise<void> {
  const { db, now } = env
  const config = (await readMeta(db, 'config'))?.config
  // Where prices are to be had is among the settings: they come first.
  if (config === undefined) return
  const coins = await claimPoll(env)
  if (coins === null) {
    // With the last pair removed nothing is asked for that could end the problem.
    if ((await watchedCoins(db)).length === 0) await endProblem(env, 'prices')
    return
  }

  const { answer, answeredAt, source } = await fetchPrices(env, config, coins)
  if (answeredAt !== null) await noteServerTime(db, answeredAt, now())
  if (answer.kind === 'ok') {
    // Somebody else than this server does not say; then it is what the settings say.
    const from = source ?? config.market_data.source
    if (await agreesOnSource(env, from)) {
      const accepted = acceptedPrices(answer.value as SimplePrice, coins, answeredAt, now())
      await writePrices(db, from as MarketSource, accepted, now())
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

/** The coins to ask for, or null where somebody asked a short while ago. */
async function claimPoll({ db, now }: EngineEnv): Promise<readonly CoinId[] | null> {
  const [coins, known] = await Promise.all([watchedCoins(db), readPrices(db)])
  return writeTransaction(db, [db.meta], async () => {
    const poll = await readMeta(db, 'price_poll')
    const due = pricesDueAt(coins, known?.prices ?? {}, poll, now())
    if (due === null || due > now()) return null
    const attempt = nextAttempt(coins, known?.prices ?? {}, poll, now())
    await writeMeta(db, 'price_poll', attempt.poll)
    return attempt.coins
  })
}

interface PriceAnswer {
  readonly answer: Answer
  /** The server's time, milliseconds; null where it does not say. */
  readonly answeredAt: number | null
  /** Where the server says that the prices come from; null: it does not say. */
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
      cache: 'no-store',
    })
    const answeredAt = Date.parse(raw.header('date') ?? '')
    return {
      answer: readAnswer({ answer: readableSimplePrice }, raw, env.now()),
      answeredAt: Number.isFinite(answeredAt) ? answeredAt : null,
      source: raw.header(SOURCE_HEADER),
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return {
      answer: { kind: 'unavailable', status: 0, error_code: null, message, retryAfter: null },
      answeredAt: null,
      source: null,
    }
  }
}
