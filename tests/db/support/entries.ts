import type { Checkpoint } from '../../../src/contract/checkpoint'
import type { Widget } from '../../../src/contract/widget'
import type { CommandContext } from '../../../src/db/command'
import { LocalDatabase } from '../../../src/db/database'
import type { OutboxEntry, MutationKind, Payloads } from '../../../src/db/outbox-entry'
import type { CheckpointId, CoinId, OpId, OwnerId, WidgetId } from '../../../src/domain/ids'
import { wireWidget } from '../../support/widget-row'

export const OWNER = 'anon-1760000000000-AAAAAAAAAAAAAAAAAAAAAAAA' as OwnerId
export const NOW = 1_760_000_000_000

/** A UUID with a number in it. */
export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/**
 * A command's surroundings on a database of its own; ids are counted, the clock stands. The database's name is of no other test:
 * files of one worker share Dexie, which tells a write to all live queries on databases of that name.
 */
export function testContext(now: () => number = () => NOW): CommandContext {
  let ids = 0
  return { db: new LocalDatabase(`test-${crypto.randomUUID()}`), now, uuid: () => uuid(ids++) }
}

/** The widget in that place of the server's list: `coin-0`, `coin-1`, … over bitcoin. */
export const widgetNumber = (n: number, change: Partial<Widget> = {}): Widget =>
  wireWidget({
    id: uuid(1000 + n) as WidgetId,
    display_order: n,
    coin_a_id: `coin-${n}` as CoinId,
    coin_b_id: 'bitcoin' as CoinId,
    ...change,
  })

/** The checkpoint in that place of a widget, whose ratio is its number from 1 on. */
export const checkpointRow = (widget: WidgetId, id: string, place: number): Checkpoint => ({
  id: id as CheckpointId,
  widget_id: widget,
  ratio: place + 1,
  timestamp: '2026-01-01T00:00:00.000Z',
  is_default: place === 0,
  display_order: place,
  created_at: '2026-01-01T00:00:00.000Z',
  user_id: null,
  created_by_op: null,
})

export function entryOf<K extends MutationKind>(
  seq: number,
  kind: K,
  payload: Payloads[K],
  change: Partial<OutboxEntry> = {},
): OutboxEntry {
  return {
    seq,
    op_id: uuid(seq) as OpId,
    owner: OWNER,
    group: null,
    created_at: NOW,
    attempts: 0,
    failures: 0,
    not_before: 0,
    state: 'waiting',
    lease: null,
    leased_since: null,
    failed_at: null,
    last_error: null,
    label: 'BTC/ETH',
    kind,
    payload,
    ...change,
  } as OutboxEntry
}

export const createOf = (seq: number, n: number, change: Partial<OutboxEntry> = {}): OutboxEntry =>
  entryOf(
    seq,
    'widget.create@1',
    { widget: `temp-${n}` as WidgetId, body: { coin_a_id: `coin-${n}` as CoinId, coin_b_id: 'bitcoin' as CoinId } },
    change,
  )
