import { type DBCore, Dexie, type DexieOptions, type EntityTable, type Table } from 'dexie'
import type { Coin } from '../contract/market'
import type { AlertFeature, Policies } from '../contract/settings'
import type { CoinId } from '../domain/ids'
import type { Period } from '../domain/chart-periods'
import { DATABASE_NAME, DATABASE_VERSION } from './first-rows'
import type { OutboxEntry } from './outbox-entry'
import { RENAMED, type Row } from './renamed-rows'
import type {
  AlertRow,
  CheckpointRow,
  DailyClosesRow,
  HistoryFetchRow,
  HistoryRow,
  IdRow,
  MetaKey,
  MetaRow,
  MetaRows,
  NoticeRow,
  OwnerRow,
  PricesRow,
  SessionRow,
  TickChunkRow,
  WidgetRow,
} from './rows'

/** Tables whose rows are loaded again when the device loses its power: no write to them waits for the disk. */
const LOADED = new Set(['prices', 'ticks', 'history', 'history_fetches', 'daily_closes'])

const relaxedForLoaded = (core: DBCore): DBCore => ({
  ...core,
  transaction: (tables, mode, options) =>
    core.transaction(tables, mode, tables.every((table) => LOADED.has(table)) ? { durability: 'relaxed' } : options),
})

/**
 * The single local truth. Page, service worker and web worker each open their own connection; live queries carry
 * changes between them.
 */
export class LocalDatabase extends Dexie {
  declare session: EntityTable<SessionRow, 'key'>
  declare owners: EntityTable<OwnerRow, 'owner'>
  declare widgets: EntityTable<WidgetRow, 'id'>
  declare checkpoints: EntityTable<CheckpointRow, 'id'>
  declare outbox: Table<OutboxEntry, number>
  declare ids: EntityTable<IdRow, 'temp'>
  declare notices: Table<NoticeRow, number>
  declare prices: EntityTable<PricesRow, 'key'>
  declare ticks: Table<TickChunkRow, [CoinId, number]>
  declare history: EntityTable<HistoryRow, 'id'>
  declare history_fetches: Table<HistoryFetchRow, [CoinId, Period]>
  declare alerts: EntityTable<AlertRow, 'event_id'>
  declare daily_closes: EntityTable<DailyClosesRow, 'key'>
  declare meta: Table<MetaRow, MetaKey>

  constructor(name = DATABASE_NAME, options: DexieOptions = {}) {
    super(name, { chromeTransactionDurability: 'strict', ...options })
    this.use({ stack: 'dbcore', name: 'durability', create: relaxedForLoaded })
    this.version(1).stores({
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
    })
    this.version(2).stores({ alerts: 'event_id, [owner+at]' })
    this.version(3)
      .stores({})
      .upgrade(async (tx) => {
        for (const [table, rename] of Object.entries(RENAMED)) {
          await tx
            .table<Row>(table)
            .toCollection()
            .modify((row, ref) => {
              ref.value = rename(row)
            })
        }
      })
    this.version(DATABASE_VERSION).stores({ daily_closes: 'key' })
    for (const [table, rename] of Object.entries(RENAMED)) {
      this.table(table).hook('reading', (row: Row | undefined) => row && rename(row))
    }
  }
}

/** The tables of which everything can be loaded again. */
export const loadedTables = (db: LocalDatabase): readonly Table[] => [...LOADED].map((name) => db.table(name))

interface CoinListView {
  readonly coins: readonly Coin[]
  readonly fetchedAt: number
}

/** Undefined before the first successful poll. */
export const readPrices = (db: LocalDatabase): Promise<PricesRow | undefined> => db.prices.get('usd')

export async function readMeta<K extends MetaKey>(db: LocalDatabase, key: K): Promise<MetaRows[K] | undefined> {
  const row = (await db.meta.get(key)) as MetaRow<K> | undefined
  return row?.value
}

/** True if the server takes that part of alerts; false until its settings are known. */
export const hasFeature = async (db: LocalDatabase, feature: AlertFeature): Promise<boolean> =>
  (await readMeta(db, 'config'))?.config.alert_features?.includes(feature) === true

export async function writeMeta<K extends MetaKey>(db: LocalDatabase, key: K, value: MetaRows[K]): Promise<void> {
  await db.meta.put({ key, value })
}

/** Undefined while the list has never been loaded. */
export async function readCoins(db: LocalDatabase): Promise<CoinListView | undefined> {
  const row = await readMeta(db, 'coins')
  return row && { coins: row.coins, fetchedAt: row.fetched_at }
}

/** A policy's text as it was last loaded; null: never. */
export async function readPolicyText(
  db: LocalDatabase,
  policy: keyof Policies,
): Promise<{ readonly version: string; readonly text: string } | null> {
  return (await readMeta(db, 'policy_texts'))?.[policy] ?? null
}
