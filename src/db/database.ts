import { Dexie, type DexieOptions, type EntityTable, type Table } from 'dexie'
import type { Coin } from '../contract/market'
import type { Policies } from '../contract/settings'
import type { CoinId } from '../domain/ids'
import type { Period } from '../domain/chart-periods'
import type { OutboxEntry } from './outbox-entry'
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

  constructor(name = 'ratio-tracker', options: DexieOptions = {}) {
    super(name, { chromeTransactionDurability: 'strict', ...options })
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
    this.version(4).stores({ daily_closes: 'key' })
    readRenamed(this)
  }
}

type Row = Readonly<Record<string, unknown>>
type Names = Readonly<Record<string, string>>

/** The names of version 2 and those of version 3. */
const PRICE: Names = { at: 'first_seen_at', seen_until: 'provider_time' }
const OWNER: Names = { pull_wanted: 'needs_pull', account_wanted: 'needs_account_refresh' }
const ALERTS_PULL: Names = { armings: 'epochs' }
const PUSH: Names = { told: 'registered', left: 'stale', put_off: 'deferred' }
const NOTICE: Names = { type: 'kind' }

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

const hasOld = (row: unknown, names: Names): boolean => isRow(row) && Object.keys(names).some((old) => old in row)

/** A field under its old name was written after the one under its new name: only version 2 still writes it. */
function renamed(row: Row, names: Names): Row {
  if (!hasOld(row, names)) return row
  const kept = Object.entries(row).filter(([name]) => !(name in names))
  // Version 2 writes NaN where it calculates with a time that it did not find under its own name.
  const written = Object.entries(row).filter(([name, value]) => name in names && !Number.isNaN(value))
  return Object.fromEntries([...kept, ...written.map(([name, value]) => [names[name], value])])
}

const inPrices = (row: Row): Row => {
  const prices = Object.entries(isRow(row['prices']) ? row['prices'] : {})
  // Hundreds of prices are read with every poll, and hardly ever any of them is to be renamed.
  if (!prices.some(([, price]) => hasOld(price, PRICE))) return row
  return { ...row, prices: Object.fromEntries(prices.map(([coin, price]) => [coin, renamed(price as Row, PRICE)])) }
}
const inOwner = (row: Row): Row => {
  const pull = row['alerts_pull']
  const owner = renamed(row, OWNER)
  return isRow(pull) && hasOld(pull, ALERTS_PULL) ? { ...owner, alerts_pull: renamed(pull, ALERTS_PULL) } : owner
}
const inMeta = (row: Row): Row =>
  row['key'] === 'push' && isRow(row['value']) ? { ...row, value: renamed(row['value'], PUSH) } : row

/** The tables whose rows version 3 names otherwise, and what makes a row of version 2 one of version 3. */
const RENAMED: Readonly<Record<string, (row: Row) => Row>> = {
  prices: inPrices,
  owners: inOwner,
  meta: inMeta,
  notices: (row) => renamed(row, NOTICE),
}

/**
 * A page that was reloaded past its service worker upgrades the database while the worker of the version before goes on
 * writing rows as it knows them, until the user takes the update. They are read by their new names (decision 0129).
 */
function readRenamed(db: LocalDatabase): void {
  for (const [table, rename] of Object.entries(RENAMED)) {
    db.table(table).hook('reading', (row: Row | undefined) => row && rename(row))
  }
}

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
