import { dirname } from 'node:path'
import { startChild, untilReady } from './child'
import { freePort } from './free-port'

export type Fault = '429' | '500' | 'html' | 'truncated' | 'hang' | 'null-prices' | 'none'

/** A stand-in for CoinGecko that serves recorded prices; where there is one, MARKET_REPLAY names its script. */
export interface MarketReplay {
  /** COINGECKO_BASE_URL for a server. */
  readonly baseUrl: string
  /** Makes the next `count` answers fail in this way. */
  fail(fault: Fault, count: number): Promise<void>
  /** Pins spot prices; null lets one go again. */
  pin(prices: Readonly<Record<string, number | null>>): Promise<void>
  stop(): Promise<void>
}

export const replayScript = process.env.MARKET_REPLAY ?? ''

export async function startMarketReplay(): Promise<MarketReplay> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = startChild([replayScript, '--port', String(port)], {}, dirname(replayScript))
  await untilReady(child, `${origin}/api/v3/ping`)
  const control = async (body: object) => {
    const answer = await fetch(`${origin}/__control`, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`The replay refused ${JSON.stringify(body)}: ${answer.status}`)
  }
  return {
    baseUrl: `${origin}/api/v3`,
    fail: (fault, count) => control({ fault, count }),
    pin: (prices) => control({ prices }),
    async stop() {
      await child.end('SIGTERM')
    },
  }
}
