import type { Coin } from '../../../src/contract/market'
import type { CoinId } from '../../../src/domain/ids'
import { PERIOD_RULES, type Period } from '../../../src/domain/chart-periods'
import { BUCKET_MS } from '../../../src/domain/granularity'
import { encodeDailyMatrix } from '../../../src/domain/daily-matrix'
import { ApiError } from '../../../server/http/api-error'
import { KeptBody } from '../../../server/http/kept-body'
import type { Market } from '../../../server/services/market/market'
import { type ServedHistory, servedHistory } from '../../../server/services/market/history/served-history'

export interface FakeMarket extends Market {
  /** Current prices by coin; a test changes them at will. */
  readonly usd: Map<string, number>
}

const NAMES = [
  'bitcoin',
  'ethereum',
  'solana',
  'cardano',
  'ripple',
  'dogecoin',
  'litecoin',
  'polkadot',
  'chainlink',
  'stellar',
  'monero',
  'tron',
]

/** A market in memory, whose history is flat at the present price. */
export function fakeMarket(clock: () => number = Date.now): FakeMarket {
  const usd = new Map(NAMES.map((name, index) => [name, 1000 / (index + 1)]))
  const coins = (): Coin[] =>
    [...usd].map(([id, price], index) => ({
      id: id as CoinId,
      symbol: id.slice(0, 3),
      name: id,
      image: null,
      current_price: price,
      market_cap_rank: index + 1,
    }))
  return {
    usd,
    source: 'simulated',
    attribution: { text: 'Made up for tests', url: null },
    coins: async () => coins(),
    knows: async (id) => usd.has(id),
    prices: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const price = usd.get(id)
          return price === undefined ? [] : [[id, { usd: price, providerTime: clock(), fetchedAt: clock() }] as const]
        }),
      ),
    stored: async () =>
      new Map(Array.from(usd, ([id, usd]) => [id, { usd, providerTime: clock(), fetchedAt: clock(), via: null }])),
    closesCame: () => undefined,
    held: () => undefined,
    daily: async () => noCloses(coins().map(({ id }) => id)),
    history: async (id, period) => history(usd.get(id), period, clock()),
    start: async () => undefined,
    stop: async () => undefined,
  }
}

/** A matrix of one day of which nothing is known. */
const noCloses = (coins: readonly CoinId[]): KeptBody =>
  new KeptBody(
    Buffer.from(
      encodeDailyMatrix({
        source: 'simulated',
        firstDay: 20_000,
        days: 1,
        ranked: coins.length,
        coins,
        prices: new Float32Array(coins.length).fill(NaN),
      }),
    ),
    'application/octet-stream',
  )

function history(price: number | undefined, period: Period, now: number): ServedHistory {
  if (price === undefined) throw new ApiError('NOT_FOUND', 'There is no such coin.')
  const { duration, initialAverage, granularity } = PERIOD_RULES[period]
  const step = BUCKET_MS[granularity]
  const last = Math.floor(now / step) * step
  const count = Math.floor((duration + initialAverage) / step)
  const data = Array.from({ length: count }, (_, i): [number, number] => [last - (count - 1 - i) * step, price])
  return servedHistory({ data, granularity, source: 'simulated', backfill: [] }, true)
}
