import type { Pool } from 'pg'
import { bucketStart } from '../../../../src/domain/aggregation'
import { BUCKET_MS, GRANULARITIES, type Granularity, MINUTE } from '../../../../src/domain/granularity'
import { PERIOD_RULES, type Period } from '../../../../src/domain/chart-periods'
import { withTimeLimit } from '../../../../src/domain/waits'
import type { SpotPrice } from '../../../adapters/market-data/provider'
import { ApiError } from '../../../http/api-error'
import { nodeTimer } from '../../../waits'
import type { Charge } from '../../address-limits'
import type { KnownCoin } from '../coin-list'
import { coveredSpan, levelKey } from './fetch-claims'
import { historyFetcher } from './fetches'
import { chartSpan, composeHistory, gapsIn, isWanting, lacksNothingFor, wantedLevels } from './plan'
import { lruByWeight } from '../lru-by-weight'
import { newestEnd, readPoints } from './points'
import type { FeedDeps } from '../feed'
import { type ServedHistory, servedHistory } from './served-history'

/** A caller that has waited for the provider so long is served what is stored; what was asked for goes on. */
const HISTORY_TIMEOUT_MS = 12_000

/** Bytes of all kept answers together: all periods of some 130 coins. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024
/** Milliseconds after which the points are read anew at the latest, since another process may have stored or folded some. */
const KEEP_FOR = MINUTE
/** An exchange gives a price a second: a kept answer may end with one that is so much older. Milliseconds. */
const EXCHANGE_LAG = 15_000

interface KeptHistory {
  /** The price with which the answer ends, and how many answers of the provider came before it. */
  readonly version: string
  /** From when and until when it holds, milliseconds. */
  readonly from: number
  readonly until: number
  readonly served: ServedHistory
}

/** Result of a look at a coin's stored points for a period. */
interface Look {
  /** Milliseconds. */
  readonly at: number
  /** Levels of which the provider must be asked for more. */
  readonly wanting: readonly Granularity[]
  /** The answer, where nothing is wanting. */
  readonly served: ServedHistory | null
}

/** The stored points of a period with the levels that are wanting; until when it holds that nothing is, milliseconds. */
async function readLevels(
  { pool, provider }: Pick<FeedDeps, 'pool' | 'provider'>,
  coin: KnownCoin,
  period: Period,
  now: number,
) {
  const { granularity } = PERIOD_RULES[period]
  const wanted = wantedLevels(period, provider.reach, now)
  const finest =
    GRANULARITIES.find((level) => level === granularity || wanted.some((want) => want.granularity === level)) ??
    granularity
  const levels = await readPoints(pool, coin.key, finest, chartSpan(period, now).from, now)
  const wanting: Granularity[] = []
  let until = Math.min(now + KEEP_FOR, bucketStart(now, BUCKET_MS[granularity]) + BUCKET_MS[granularity])
  for (const want of wanted) {
    const { times } = levels[want.granularity]
    const gaps = gapsIn(times, want.granularity, want)
    const covered = gaps.length === 0 ? null : await coveredSpan(pool, levelKey(coin, want.granularity), now)
    if (isWanting(gaps, want.granularity, covered)) wanting.push(want.granularity)
    else until = Math.min(until, now + lacksNothingFor(times, want, covered))
  }
  return { levels, wanting, until }
}

/**
 * Points of a period as they are stored, however old: where all of them are older, the period ends with them.
 * @param complete the provider has been asked for all of them and has answered, so that none are an answer too
 * @throws ApiError MARKET_DATA_UNAVAILABLE when nothing is stored
 */
async function readStored(pool: Pool, coin: KnownCoin, period: Period, now: number, complete: boolean) {
  const { granularity } = PERIOD_RULES[period]
  const span = chartSpan(period, now)
  const levels = await readPoints(pool, coin.key, granularity, span.from, now)
  if (complete || GRANULARITIES.some((level) => levels[level].times.length > 0)) return { levels, span }
  const newest = await newestEnd(pool, coin.key, now)
  if (newest === null) {
    throw new ApiError('MARKET_DATA_UNAVAILABLE', `The history of ${coin.name} cannot be had at the moment.`)
  }
  const older = chartSpan(period, Math.min(now, newest))
  return { levels: await readPoints(pool, coin.key, granularity, older.from, older.until), span: older }
}

/**
 * History as this server keeps it: what it polled, and on demand what the provider has. An answer of the provider is stored
 * before it is served, and stored points are served when the provider fails. A complete answer is kept for everybody until
 * the coin's next price is stored, the period's bucket ends, the provider has brought points or something is wanting
 * (decision 0130).
 */
export function historyStore(deps: FeedDeps & { readonly charge: Charge }) {
  const { pool, provider, clock } = deps
  /** By coin: answers of the provider that this process has stored. */
  const brought = new Map<number, number>()
  const onStored = ({ key }: KnownCoin) => void brought.set(key, (brought.get(key) ?? 0) + 1)
  const fetchLevel = historyFetcher({ ...deps, onStored })
  const kept = lruByWeight<KeptHistory>(MAX_KEPT_BYTES, ({ served }) => served.body.weight)
  const looks = new Map<string, Promise<Look>>()

  async function look(coin: KnownCoin, period: Period, spot: SpotPrice | undefined, version: string): Promise<Look> {
    const now = clock()
    const { levels, wanting, until } = await readLevels(deps, coin, period, now)
    if (wanting.length > 0) return { at: now, wanting, served: null }
    const { granularity } = PERIOD_RULES[period]
    const history = composeHistory(levels, granularity, chartSpan(period, now), spot, provider.source)
    const served = servedHistory(history, true)
    kept.set(keyOf(coin, period), { version, from: now, until, served })
    return { at: now, wanting, served }
  }

  /** One look for all who come for the same at the same moment. */
  function lookOnce(coin: KnownCoin, period: Period, spot: SpotPrice | undefined, version: string): Promise<Look> {
    const name = `${keyOf(coin, period)} ${version}`
    const running = looks.get(name)
    if (running !== undefined) return running
    const mine = look(coin, period, spot, version).finally(() => looks.delete(name))
    looks.set(name, mine)
    return mine
  }

  return {
    /**
     * @param spot the coin's latest price, read before
     * @throws ApiError MARKET_DATA_UNAVAILABLE when nothing is stored and the provider fails
     */
    serve: async (
      coin: KnownCoin,
      period: Period,
      spot: SpotPrice | undefined,
      ip?: string,
    ): Promise<ServedHistory> => {
      const now = clock()
      // Taken before the points are read: points that come meanwhile make the answer newer than its version, never older.
      const version = `${priceVersion(spot)} ${brought.get(coin.key)}`
      const known = kept.get(keyOf(coin, period))
      if (known?.version === version && known.from <= now && now < known.until) return known.served
      const found = await lookOnce(coin, period, spot, version)
      if (found.served !== null) return found.served

      const { granularity } = PERIOD_RULES[period]
      const asked = found.wanting.map((level) => fetchLevel({ ip, coin, granularity: level, lookedAt: found.at }))
      const outcomes = await withTimeLimit(nodeTimer, HISTORY_TIMEOUT_MS, Promise.all(asked), () => ['failed'] as const)
      const complete = outcomes.every((outcome) => outcome === 'known')
      const { levels, span } = await readStored(pool, coin, period, now, complete)
      return servedHistory(composeHistory(levels, granularity, span, spot, provider.source), complete)
    },
  }
}

function priceVersion(spot: SpotPrice | undefined): string {
  if (spot === undefined) return 'none'
  const { usd, providerTime, via } = spot
  return via == null ? `${usd} ${providerTime}` : `${via} ${bucketStart(providerTime, EXCHANGE_LAG)}`
}

const keyOf = ({ key }: KnownCoin, period: Period): string => `${key} ${period}`
