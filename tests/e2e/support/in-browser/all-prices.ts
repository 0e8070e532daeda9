import { LocalDatabase, readPrices } from '../../../../src/db/database'
import { writePrices } from '../../../../src/db/write-prices'
import type { CoinId } from '../../../../src/domain/ids'

/*
 * Runs in the web worker, which holds the stream: a price event of all coins is written there, by the function that writes those
 * of a stream.
 */
const db = new LocalDatabase()
const now = Date.now()
const known = readPrices(db)

/** Multiplies what each coin cost at first by a power of `factor`, so that the ratio of every pair is another one. */
async function setAllPrices(factor: number): Promise<void> {
  const record = await known
  if (record === undefined) throw new Error('There are no prices yet.')
  const prices = Object.entries(record.prices).map(([coin, { usd }], index) => {
    const moved = usd * factor ** ((index % 7) + 1)
    return [coin as CoinId, { usd: moved, providerTime: now }] as const
  })
  await writePrices(db, record.source, new Map(prices), now)
}

Object.assign(globalThis, { setAllPrices })
