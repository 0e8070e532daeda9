import { coinGeckoStandIn, wave } from '../../server/support/coingecko-stand-in'

/** Prices that a test moves, in CoinGecko's wire format. */
export interface MovingMarket {
  /** COINGECKO_BASE_URL for a server. */
  readonly baseUrl: string
  /** From now on these coins cost so much. USD. */
  pin(prices: Readonly<Record<string, number>>): Promise<void>
  stop(): Promise<void>
}

const OFFERED = [
  { id: 'bitcoin', symbol: 'btc', name: 'Bitcoin', level: 100_000 },
  { id: 'ethereum', symbol: 'eth', name: 'Ethereum', level: 4_000 },
  { id: 'solana', symbol: 'sol', name: 'Solana', level: 150 },
] as const

export async function startMovingMarket(): Promise<MovingMarket> {
  const standIn = await coinGeckoStandIn(Date.now)
  standIn.coins.clear()
  for (const [index, { level, ...coin }] of OFFERED.entries()) {
    standIn.coins.set(coin.id, { ...coin, rank: index + 1, price: wave(level) })
  }
  return {
    baseUrl: standIn.url,
    pin: async (prices) => {
      for (const [id, usd] of Object.entries(prices)) {
        const coin = standIn.coins.get(id)
        if (coin === undefined) throw new Error(`There is no ${id}.`)
        const since = Date.now()
        standIn.coins.set(id, { ...coin, price: (time) => (time < since ? (coin.price?.(time) ?? null) : usd) })
      }
    },
    stop: () => standIn.close(),
  }
}
