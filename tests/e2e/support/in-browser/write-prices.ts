import { LocalDatabase, readPrices } from '../../../../src/db/database'
import { writePrices } from '../../../../src/db/write-prices'
import type { CoinId } from '../../../../src/domain/ids'

/*
 * Runs in the app's own service worker, where the engine's polls are written, with the engine's own function: a change
 * reaches the pages as a poll does.
 */
const db = new LocalDatabase()

/** Multiplies the price of every coin that is named. Resolves when the prices are stored. */
async function movePrices(factors: Readonly<Record<string, number>>): Promise<void> {
  const now = Date.now()
  const known = await readPrices(db)
  if (known === undefined) throw new Error('There are no prices yet.')
  const polled = Object.entries(known.prices).map(([coin, { usd }]) => {
    return [coin as CoinId, { usd: usd * (factors[coin] ?? 1), providerTime: now }] as const
  })
  await writePrices(db, known.source, new Map(polled), now)
}

const pricedCoins = async () => Object.keys((await readPrices(db))?.prices ?? {})

Object.assign(globalThis, { movePrices, pricedCoins })
