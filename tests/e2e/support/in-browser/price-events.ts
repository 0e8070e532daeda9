import { LocalDatabase, readPrices } from '../../../../src/db/database'
import { writePrices } from '../../../../src/db/write-prices'
import type { CoinId } from '../../../../src/domain/ids'

/*
 * Runs in the page, which holds the stream: prices are written there, by the function that writes those of a stream.
 */
const db = new LocalDatabase()

/** Milliseconds between two price events of a stream. */
const SPACING = 1_000

/** Writes `count` price events, one a second, in each of which every price moves a little. Resolves after the last. */
async function streamPrices(count: number): Promise<void> {
  const known = await readPrices(db)
  if (known === undefined) throw new Error('There are no prices yet.')
  for (let event = 0; event < count; event += 1) {
    const next = performance.now() + SPACING
    const now = Date.now()
    const prices = Object.entries(known.prices).map(([coin, { usd }], index) => {
      const step = ((index % 7) + 1) / 20_000
      return [coin as CoinId, { usd: usd * (event % 2 === 0 ? 1 + step : 1), providerTime: now }] as const
    })
    await writePrices(db, known.source, new Map(prices), now)
    await new Promise((resolve) => setTimeout(resolve, next - performance.now()))
  }
}

Object.assign(globalThis, { streamPrices })
