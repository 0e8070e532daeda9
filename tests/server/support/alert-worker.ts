import { readSpotPrices } from '../../../server/adapters/market-data/coingecko/answers'
import { openDatabase } from '../../../server/db/open'
import { createLogger } from '../../../server/logger'
import { priceStore } from '../../../server/services/market/prices/price-store'
import { alertTape } from './alert-tape'
import type { WorkerSetup } from './alert-workers'

/** A process that stores the tape's prices, an update at a time, whenever it is told the update's number. */
const { seed, length, database, pgliteWorker, migrations } = JSON.parse(process.argv[2] ?? '') as WorkerSetup
const steps = alertTape(seed, length)
const logger = createLogger({ NODE_ENV: 'production', LOG_LEVEL: 'warn' })
const { pool } = await openDatabase(
  database,
  { pgliteWorker: new URL(pgliteWorker), migrations },
  { durable: false, logger },
)
let now = 0
const store = priceStore({ pool, source: 'coingecko', clock: () => now, logger })

process.on('message', (step: number) => {
  const { now: time, answer } = steps[step]!
  now = time
  void store(readSpotPrices(answer, now), { history: true }).then(() => process.send?.(step))
})
process.send?.('ready')
