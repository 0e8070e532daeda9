import { LocalDatabase, readPrices } from '../../../../src/db/database'
import { writePrices } from '../../../../src/db/write-prices'
import { MINUTE } from '../../../../src/domain/granularity'
import type { CoinId } from '../../../../src/domain/ids'

/*
 * Runs in the app's own service worker, where the engine's polls are written, with the engine's own function: a change
 * reaches the pages as a poll does.
 */
const db = new LocalDatabase()

/** Multiplies the price of every coin that is named, or of all. Resolves when the prices are stored. */
async function movePrices(
  factors: Readonly<Record<string, number>>,
  others: number,
  stale: readonly string[],
): Promise<void> {
  const now = Date.now()
  const known = await readPrices(db)
  if (known === undefined) throw new Error('There are no prices yet.')
  const polled = Object.entries(known.prices).map(([coin, { usd }]) => {
    const moved = usd * (factors[coin] ?? others)
    return [coin as CoinId, { usd: moved, providerTime: stale.includes(coin) ? now - 11 * MINUTE : now }] as const
  })
  await writePrices(db, known.source, new Map(polled), now)
}

const pricedCoins = async () => Object.keys((await readPrices(db))?.prices ?? {})

Object.assign(globalThis, { movePrices, pricedCoins })
