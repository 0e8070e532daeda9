import { Dexie } from 'dexie'
import { expect, test } from 'vitest'
import { claimAlert } from '../../src/db/commands/alerts'
import { LocalDatabase, readPrices } from '../../src/db/database'
import { readPushRegistration } from '../../src/db/push-registration'
import { readOwnerSyncState } from '../../src/db/owner-sync-state'
import { readAlerts } from '../../src/db/queries/alerts'
import { readBoard } from '../../src/db/board-rows'
import { readNotices } from '../../src/db/notices'
import { writePrices } from '../../src/db/write-prices'
import type { CoinId, OwnerId } from '../../src/domain/ids'
import { alertRow } from './support/alerts'
import { widgetRow } from '../support/widget-row'
import { entryOf, OWNER } from './support/entries'

/** The database as the first released version made it. */
const FIRST_VERSION = {
  session: 'key',
  owners: 'owner',
  widgets: 'id, owner',
  checkpoints: 'id, owner, widget_id',
  outbox: '++seq, &op_id, owner',
  ids: 'temp',
  notices: '++id, owner',
  prices: 'key',
  ticks: '[coin_id+hour], coin_id, hour',
  history: 'id, coin_id, fetch_timestamp',
  history_fetches: '[coin_id+period]',
  meta: 'key',
}
/** Rows that the second released version added. */
const SECOND_VERSION = { alerts: 'event_id, [owner+at]' }

/** Another tab, of the version before, which gives way when it is asked to. */
async function openedBefore(name: string, version: 1 | 2): Promise<Dexie> {
  const before = new Dexie(name)
  before.version(1).stores(FIRST_VERSION)
  if (version === 2) before.version(2).stores(SECOND_VERSION)
  before.on('versionchange', () => before.close())
  return before.open()
}

test('the upgrade of the first database version keeps session, widgets and outbox, and adds the alert table', async () => {
  const name = 'upgraded'
  const first = await openedBefore(name, 1)
  const row = widgetRow({ owner: OWNER })
  await first.table('session').put({ key: 'current', owner: OWNER, tokens: null, user: null, anonymous_id: OWNER })
  await first.table('widgets').put(row)
  const body = { high_threshold: 20 }
  await first.table('outbox').put(entryOf(1, 'widget.update@1', { widget: row.id, body }))

  const db = new LocalDatabase(name)
  expect((await readBoard(db))!.widgets).toMatchObject([
    { id: row.id, alerts: { high: { threshold: 20 } }, waiting: 1 },
  ])
  expect(first.isOpen()).toBe(false)
  expect(await readAlerts(db)).toEqual([])
  expect(await claimAlert(db, alertRow(OWNER))).toBe(true)
  expect(await readAlerts(db)).toHaveLength(1)
})

const NOON = Date.UTC(2026, 10, 1, 12)
const OTHER = 'user-2' as OwnerId
const widget = widgetRow({ owner: OWNER })
const SUBSCRIPTION = { endpoint: 'https://push.example/1', keys: { p256dh: 'key', auth: 'secret' } }
const STALE = [{ owner: OWNER, endpoint: 'https://push.example/0' }]
const DEFERRED = { owner: OWNER, endpoint: SUBSCRIPTION.endpoint, at: NOON, spacing: 5_000 }

/** Rows of each kind as the second released version stored them, by table: a frozen copy. */
const ROWS_OF_VERSION_2: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  session: [{ key: 'current', owner: OWNER, tokens: null, user: null, anonymous_id: OWNER }],
  owners: [
    {
      owner: OWNER,
      applied_rev: 7,
      pulled_at: NOON,
      pulled_as_premium: false,
      paused: false,
      pull_wanted: true,
      account_wanted: true,
      provider_visit: NOON,
      given_up: ['w9'],
      alerts_pull: { as_of: '2026-11-01T12:00:00.000Z', armings: 'w1 1+0-;', ahead: 3, at: NOON },
      guest_asked: { pairs: ['a/b'], max_widgets: 3 },
    },
    { owner: OTHER, applied_rev: 1, pulled_at: null, paused: true, pull_wanted: false, alerts_pull: null },
  ],
  widgets: [{ ...widget }],
  checkpoints: [
    {
      id: 'c1',
      owner: OWNER,
      widget_id: widget.id,
      ratio: 15,
      timestamp: '2026-11-01T12:00:00.000Z',
      is_default: true,
    },
  ],
  outbox: [{ ...entryOf(1, 'widget.update@1', { widget: widget.id, body: { high_threshold: 20 } }) }],
  ids: [{ temp: 'temp-1', real: widget.id, owner: OWNER, unused_since: NOON }],
  notices: [
    { id: 4, owner: OWNER, type: 'error', message: 'Could not save.', at: NOON },
    { id: 5, owner: OWNER, type: 'success', message: 'Saved.', at: NOON + 1 },
  ],
  prices: [
    {
      key: 'usd',
      source: 'simulated',
      polled_at: NOON,
      prices: {
        bitcoin: { usd: 60_000, at: NOON - 75_000, seen_until: NOON },
        ethereum: { usd: 4_000, at: NOON, seen_until: NOON },
      },
    },
  ],
  ticks: [{ coin_id: 'bitcoin', hour: NOON, times: Float64Array.of(NOON), prices: Float64Array.of(60_000) }],
  history: [
    {
      id: 'bitcoin:hourly',
      coin_id: 'bitcoin',
      granularity: 'hourly',
      source: 'simulated',
      times: Float64Array.of(NOON),
      prices: Float64Array.of(60_000),
      server_until: NOON,
      fetch_timestamp: NOON,
    },
  ],
  history_fetches: [{ coin_id: 'bitcoin', period: '7d', attempted_at: NOON, fetched_at: NOON, etag: null }],
  alerts: [{ ...alertRow(OWNER) }],
  meta: [
    {
      key: 'push',
      value: { told: { owner: OWNER, subscription: SUBSCRIPTION }, off: false, left: STALE, put_off: DEFERRED },
    },
    { key: 'server_clock', value: { ahead: 3 } },
    { key: 'price_poll', value: { attempted_at: NOON, not_before: 0, asked: ['bitcoin'] } },
    { key: 'begun', value: { coins: NOON } },
  ],
}

/** The rows that version 3 names otherwise. */
const RENAMED_ROWS: typeof ROWS_OF_VERSION_2 = {
  owners: [
    {
      owner: OWNER,
      applied_rev: 7,
      pulled_at: NOON,
      pulled_as_premium: false,
      paused: false,
      needs_pull: true,
      needs_account_refresh: true,
      provider_visit: NOON,
      given_up: ['w9'],
      alerts_pull: { as_of: '2026-11-01T12:00:00.000Z', epochs: 'w1 1+0-;', ahead: 3, at: NOON },
      guest_asked: { pairs: ['a/b'], max_widgets: 3 },
    },
    { owner: OTHER, applied_rev: 1, pulled_at: null, paused: true, needs_pull: false, alerts_pull: null },
  ],
  notices: [
    { id: 4, owner: OWNER, kind: 'error', message: 'Could not save.', at: NOON },
    { id: 5, owner: OWNER, kind: 'success', message: 'Saved.', at: NOON + 1 },
  ],
  prices: [
    {
      key: 'usd',
      source: 'simulated',
      polled_at: NOON,
      prices: {
        bitcoin: { usd: 60_000, first_seen_at: NOON - 75_000, provider_time: NOON },
        ethereum: { usd: 4_000, first_seen_at: NOON, provider_time: NOON },
      },
    },
  ],
  meta: [
    {
      key: 'push',
      value: { registered: { owner: OWNER, subscription: SUBSCRIPTION }, off: false, stale: STALE, deferred: DEFERRED },
    },
    ...ROWS_OF_VERSION_2['meta']!.slice(1),
  ],
}

/** A database of version 2 with rows of each kind. */
async function filledSecondVersion(name: string): Promise<Dexie> {
  const second = await openedBefore(name, 2)
  for (const [table, rows] of Object.entries(ROWS_OF_VERSION_2)) await second.table(table).bulkPut([...rows])
  return second
}

/** All rows as they are stored, by table, whatever this version makes of them when it reads them. */
async function storedRows(name: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const raw = await new Dexie(name).open()
  const rows = await Promise.all(raw.tables.map(async (table) => [table.name, await table.toArray()] as const))
  raw.close()
  return Object.fromEntries(rows)
}

const sorted = (rows: readonly unknown[]) => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

test('the upgrade of the second database version keeps each row of each table and renames the fields of version 3', async () => {
  const second = await filledSecondVersion('second')
  expect(Object.keys(ROWS_OF_VERSION_2).toSorted()).toEqual(second.tables.map(({ name }) => name).toSorted())
  const db = await new LocalDatabase('second').open()
  expect(second.isOpen()).toBe(false)
  db.close()
  const stored = await storedRows('second')
  for (const [table, rows] of Object.entries({ ...ROWS_OF_VERSION_2, ...RENAMED_ROWS })) {
    expect(sorted(stored[table]!), table).toEqual(sorted(rows))
  }
})

test('a database of version 3 reads rows that a service worker of version 2 writes afterwards, the newest value of each', async () => {
  await filledSecondVersion('mixed')
  const db = new LocalDatabase('mixed')
  await db.open()
  // Dexie of the version before opens a newer database as it finds it.
  const worker = await new Dexie('mixed').open()
  const price = { first_seen_at: NOON - 75_000, provider_time: NOON }
  await worker.table('prices').put({
    key: 'usd',
    source: 'simulated',
    polled_at: NOON + 75_000,
    // An unchanged price keeps what it had, and NaN for what version 2 did not find; a changed one is all its own.
    prices: {
      bitcoin: { usd: 60_000, ...price, seen_until: NaN },
      ethereum: { usd: 4_100, at: NOON + 75_000, seen_until: NOON + 75_000 },
    },
  })
  const owner = await worker.table('owners').get(OWNER)
  await worker.table('owners').put({ ...owner, needs_pull: false, pull_wanted: true })
  await worker.table('notices').put({ id: 6, owner: OWNER, type: 'info', message: 'The order was changed.', at: NOON })
  await worker.table('meta').put({
    key: 'push',
    value: { registered: null, off: true, stale: [], deferred: null, told: null, left: STALE, put_off: null },
  })

  expect((await readPrices(db))!.prices).toEqual({
    bitcoin: { usd: 60_000, ...price },
    ethereum: { usd: 4_100, first_seen_at: NOON + 75_000, provider_time: NOON + 75_000 },
  })
  expect(await readOwnerSyncState(db, OWNER)).toEqual({ ...RENAMED_ROWS['owners']![0], needs_pull: true })
  expect((await readNotices(db)).map(({ kind }) => kind)).toEqual(['error', 'success', 'info'])
  expect(await readPushRegistration(db)).toEqual({ registered: null, off: true, stale: STALE, deferred: null })

  const polled = new Map([['ethereum' as CoinId, { usd: 4_100, providerTime: NOON + 150_000 }]])
  await writePrices(db, 'simulated', polled, NOON + 150_000)
  expect((await worker.table('prices').get('usd')).prices).toEqual({
    bitcoin: { usd: 60_000, ...price },
    ethereum: { usd: 4_100, first_seen_at: NOON + 75_000, provider_time: NOON + 150_000 },
  })
  worker.close()
})
