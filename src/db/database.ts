import { Dexie, type DexieOptions, type EntityTable, type Table } from 'dexie'
import type { CoinId } from '../domain/ids'
import type { Period } from '../domain/period'
import type { OutboxEntry } from './outbox-entry'
import { readRenamed, RENAMED, type Row } from './renamed-fields'
import type {
  AlertRow,
  CheckpointRow,
  HistoryFetchRow,
  HistoryRow,
  IdRow,
  MetaKey,
  MetaRow,
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
    readRenamed(this)
  }
}
