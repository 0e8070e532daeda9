import { coinGeckoStandIn } from '../../../server/support/coingecko-stand-in'

/** A provider whose prices stand still until they are set. */
export interface PinnedMarket {
  /** For a server that asks it each second. */
  readonly variables: Readonly<Record<string, string>>
  /** From now on Bitcoin, of which somebody has a pair, costs so much. USD. @returns when the server has read it, milliseconds since 1970 */
  pin(usd: number): Promise<number>
  stop(): Promise<void>
}

/** USD: a ratio of Bitcoin to Ethereum of 25. */
const PRICES = { bitcoin: 100_000, ethereum: 4_000, solana: 150 } as const

export async function startPinnedMarket(): Promise<PinnedMarket> {
  const standIn = await coinGeckoStandIn(Date.now)
  standIn.coins.clear()
  let pinned: { readonly usd: number; readonly since: number; read: ((at: number) => void) | null } | null = null
  for (const [index, [id, usd]] of Object.entries(PRICES).entries()) {
    const price = (time: number) => {
      if (id !== 'bitcoin' || pinned === null || time < pinned.since) return usd
      pinned.read?.(Date.now())
      pinned.read = null
      return pinned.usd
    }
    const symbol = { bitcoin: 'btc', ethereum: 'eth', solana: 'sol' }[id]!
    standIn.coins.set(id, { id, symbol, name: id, rank: index + 1, price })
  }
  return {
    variables: {
      MARKET_DATA: 'coingecko',
      COINGECKO_BASE_URL: standIn.url,
      COINGECKO_MONTHLY_CALLS: '100000000',
      PRICE_POLL_SECONDS: '1',
    },
    pin: (usd) => new Promise((read) => (pinned = { usd, since: Date.now(), read })),
    stop: () => standIn.close(),
  }
}
