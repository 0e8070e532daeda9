import { Dexie } from 'dexie'
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { addWidget } from '../../src/db/commands/widgets'
import { ensureIdentity } from '../../src/db/identity'
import { setThreshold } from '../support/set-threshold'
import { type LocalDatabase, writeMeta } from '../../src/db/database'
import { isStorageFull, StorageFull } from '../../src/db/quota-eviction'
import { writeTransaction } from '../../src/db/write-transaction'
import { writeServerLevels } from '../../src/db/history-rows'
import { writePrices } from '../../src/db/write-prices'
import { BUCKET_MS, DAY, GRANULARITIES, type Granularity, HOUR } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { readBoard } from '../../src/db/board-rows'
import { NOW, testContext } from './support/entries'
import { type Disk, onDisk } from './support/full-disk'

const [BITCOIN, ETHEREUM] = ['bitcoin', 'ethereum'] as CoinId[] as [CoinId, CoinId]
const COINS = [BITCOIN, ETHEREUM]

/** Points of a level that end at `end`. */
const levelOf = (coin: CoinId, granularity: Granularity, points: number, end = NOW) => ({
  coin,
  granularity,
  source: 'simulated' as const,
  series: {
    times: Float64Array.from({ length: points }, (_, i) => end - (points - 1 - i) * BUCKET_MS[granularity]),
    prices: new Float64Array(points).fill(5),
  },
})

/** A device with one pair, all four levels of both coins, and six hours of ticks. */
async function deviceWithHistory(points = 1000) {
  const context = testContext()
  const disk = onDisk(context.db)
  const { db } = context
  await ensureIdentity(context, new Uint8Array(24))
  await addWidget(context, { coinA: BITCOIN, coinB: ETHEREUM })
  await writeMeta(db, 'tier_limits', {
    limits: {
      free: { max_widgets: 5, max_checkpoints_per_widget: 1 },
      premium: { max_widgets: 5, max_checkpoints_per_widget: 1 },
    },
    fetched_at: NOW,
  })
  for (const coin of COINS) {
    await writeServerLevels(
      db,
      GRANULARITIES.map((granularity) => levelOf(coin, granularity, points)),
      NOW,
    )
    await db.history_fetches.put({ coin_id: coin, period: '1d', attempted_at: NOW, fetched_at: NOW, etag: '"1"' })
  }
  for (let hour = 12; hour >= 0; hour--) {
    const at = NOW - hour * HOUR
    await writePrices(db, 'simulated', new Map(COINS.map((coin) => [coin, { usd: 100 - hour, providerTime: at }])), at)
  }
  const widget = (await readBoard(db))!.widgets[0]!.id
  return { context, db, disk, widget }
}

/** The fetch notes after an eviction: no ETag, so that no answer says "unchanged", and an attempt that brought nothing. */
const OWED = COINS.map((coin_id) => ({ coin_id, period: '1d', attempted_at: NOW, fetched_at: null, etag: null }))

const fill = (disk: Disk, free = 0) => {
  disk.limit = disk.used() + free
}

const levelsOf = async (db: LocalDatabase): Promise<Record<string, number>> =>
  Object.fromEntries((await db.history.toArray()).map((row) => [row.id, row.times.length]))

/** Everything that must never give way; the outbox stands at `OUTBOX`. */
const OUTBOX = 4
const kept = (db: LocalDatabase) =>
  Promise.all(
    [db.session, db.owners, db.widgets, db.checkpoints, db.outbox, db.ids, db.notices, db.meta].map((table) =>
      table.toArray(),
    ),
  )

const threshold = ({ context, widget }: Awaited<ReturnType<typeof deviceWithHistory>>, value: number) =>
  setThreshold(context, widget, 'high', value, true)

test('a change that a full device refused at its commit, and that is refused when it is repeated, is not shown', async () => {
  const device = await deviceWithHistory()
  const { db, context, widget } = device
  const onStored = vi.fn()
  const commit = db.transaction.bind(db) as (...args: unknown[]) => Promise<unknown>
  vi.spyOn(db, 'transaction').mockImplementationOnce((async (
    mode: string,
    tables: unknown,
    body: () => Promise<unknown>,
  ) => {
    const aborted = commit(mode, tables, async () => {
      await body()
      Dexie.currentTransaction.abort()
    })
    await expect(aborted).rejects.toThrow()
    await db.outbox.clear()
    throw new DOMException('full', 'QuotaExceededError')
  }) as never)
  expect(await setThreshold({ ...context, onStored }, widget, 'high', 20, true)).toMatchObject({ ok: false })
  expect(onStored).not.toHaveBeenCalled()
})

test('a change on a full device is stored: the five-minute level is evicted, and noted as owed by the server', async () => {
  const device = await deviceWithHistory()
  const { db, disk } = device
  const before = await levelsOf(db)
  fill(disk)
  expect(await threshold(device, 20)).toEqual({ ok: true, value: undefined })
  expect(disk.refusals()).toBeGreaterThan(0)
  expect((await readBoard(db))!.widgets[0]!.alerts.high.threshold).toBe(20)
  const { 'bitcoin:fiveMinutely': _, 'ethereum:fiveMinutely': __, ...coarser } = before
  expect(await levelsOf(db)).toEqual(coarser)
  expect(await db.history_fetches.toArray()).toEqual(OWED)
})

test('a change on a full device evicts all history levels and their ETags if need be, and nothing of the user', async () => {
  const device = await deviceWithHistory()
  const { db, disk } = device
  const before = await kept(db)
  // Nothing but what must stay fits, and one more entry.
  const history = await db.history.toArray()
  const bytes = history.reduce((sum, row) => sum + row.times.byteLength + row.prices.byteLength, 0)
  fill(disk, -bytes)
  expect((await threshold(device, 20)).ok).toBe(true)
  expect(Object.keys(await levelsOf(db))).toEqual([])
  // Without the records, an answer "unchanged" would leave the chart empty for ever; but no client may ask in a loop.
  expect(await db.history_fetches.toArray()).toEqual(OWED)
  const after = await kept(db)
  expect(after.map((rows) => rows.length)).toEqual(before.map((rows, i) => rows.length + (i === OUTBOX ? 1 : 0)))
  expect(await db.prices.count()).toBe(1)
})

test('a change that finds no room at all is refused with StorageFull and its cause, and nothing is half written', async () => {
  const device = await deviceWithHistory()
  const { db, disk } = device
  const before = await kept(db)
  disk.limit = 0
  const refused = await threshold(device, 20).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StorageFull)
  expect((refused as StorageFull).message).toBe('Storage on this device is full. Free some space and try again.')
  expect(isStorageFull((refused as StorageFull).cause)).toBe(true)
  expect(await kept(db)).toEqual(before)
  // The last four hours, which the trend on the card looks at, stay to the end.
  const hours = (await db.ticks.orderBy('hour').uniqueKeys()).map((hour) => (NOW - Number(hour)) / HOUR)
  expect(Math.max(...hours)).toBeLessThanOrEqual(6)
  expect(hours.length).toBeGreaterThanOrEqual(4)

  disk.limit = Infinity
  expect((await threshold(device, 20)).ok).toBe(true)
})

test('a change is refused with StorageFull when not even an empty database can be opened', async () => {
  const device = await deviceWithHistory(10)
  const quota = new DOMException('The disk is full.', 'QuotaExceededError')
  const open = vi.spyOn(Dexie.prototype, 'open')
  open.mockImplementation(() => Dexie.Promise.reject(new Dexie.OpenFailedError('Not opened', quota)) as never)
  device.disk.limit = 0
  await expect(threshold(device, 20)).rejects.toBeInstanceOf(StorageFull)
  expect(open).toHaveBeenCalled()
})

test('a change with any amount of space missing is stored, or refused as a whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60_000 }), async (short) => {
      const device = await deviceWithHistory(200)
      const { db, disk } = device
      const before = await kept(db)
      fill(disk, -short)
      const result = await threshold(device, 20).catch((error: unknown) => error)
      disk.limit = Infinity
      const shown = (await readBoard(db))!.widgets[0]!.alerts.high.threshold
      if (result instanceof StorageFull) expect(await kept(db)).toEqual(before)
      else expect([result, shown]).toEqual([{ ok: true, value: undefined }, 20])
      await db.delete()
    }),
    { numRuns: 15 },
  )
})

test('polled prices are stored on a full device, and the hourly level stays whole', async () => {
  const { db, disk } = await deviceWithHistory()
  fill(disk)
  await writePrices(db, 'simulated', new Map([[BITCOIN, { usd: 7, providerTime: NOW + DAY }]]), NOW + DAY)
  expect((await db.prices.get('usd'))!.prices[BITCOIN]!.usd).toBe(7)
  expect((await levelsOf(db))['bitcoin:hourly']).toBe(1000)
})

test('a server level that evicts its own former record is stored, and its coin noted as owed', async () => {
  const { db, disk } = await deviceWithHistory()
  fill(disk)
  const later = NOW + BUCKET_MS.fiveMinutely
  await writeServerLevels(db, [levelOf(BITCOIN, 'fiveMinutely', 2, later)], later)
  expect(disk.refusals()).toBeGreaterThan(0)
  expect([...(await db.history.get('bitcoin:fiveMinutely'))!.times]).toEqual([NOW, later])
  expect(await db.history_fetches.toArray()).toEqual(OWED)
})

test('two changes that hit a full device at the same time are both stored, although only one level is left to evict', async () => {
  const device = await deviceWithHistory()
  const { context, db, disk, widget } = device
  await db.history.where('id').noneOf(['bitcoin:fiveMinutely', 'ethereum:fiveMinutely']).delete()
  fill(disk)
  const changes = [threshold(device, 20), setThreshold(context, widget, 'low', 2, true)]
  expect(await Promise.all(changes)).toEqual(changes.map(() => ({ ok: true, value: undefined })))
})

test('evicted history is not noted as owed by a write that clears the history for another price source', async () => {
  const { db, disk } = await deviceWithHistory()
  fill(disk)
  await writeTransaction(db, [db.meta, db.history, db.history_fetches], async () => {
    await writeMeta(db, 'config', { config: { market_data: { source: 'coingecko' } } as never, fetched_at: NOW })
    await db.history.clear()
    await db.history_fetches.clear()
  })
  expect(disk.refusals()).toBeGreaterThan(0)
  expect([await db.history.count(), await db.history_fetches.count()]).toEqual([0, 0])
})

const quota = new DOMException('The disk is full.', 'QuotaExceededError')
test.each([
  ['as the browser says it', quota],
  ['of a transaction that was aborted at its end', new Dexie.AbortError('Transaction aborted', quota)],
  ['inside another error', new Error('outer', { cause: new Dexie.AbortError('Aborted', quota) })],
  ['of rows that were written together', new Dexie.BulkError('2 of 3 failed', [quota] as never)],
])('isStorageFull recognises a quota error %s', (_, error) => {
  expect(isStorageFull(error)).toBe(true)
})
test.each([new Dexie.AbortError('Transaction aborted'), new Error('QuotaExceededError'), null, 'full'])(
  'isStorageFull is false for %s',
  (error) => {
    expect(isStorageFull(error)).toBe(false)
  },
)
