import { sql } from 'drizzle-orm'
import { DAY, MINUTE } from '../../../src/domain/granularity'
import type { Database } from '../../db/open'
import { type alert_channels as channelsTable, alert_channels, channel_deliveries } from '../../db/schema/channels'
import { byCrossing, claimFrom, type DeliveryQueue, type WaitingCrossing } from '../push/delivery-queue'

/** Milliseconds for one message, from the name's addresses to the answer. */
export const CHANNEL_TIMEOUT_MS = 15_000
/** Milliseconds after a crossing in which a channel is tried: the growing pauses, and then hourly for a day. */
export const CHANNEL_TTL = DAY + 75 * MINUTE
/** Crossings that one message lists. */
const CROSSINGS_OF_MESSAGE = 50

/** Columns of a channel that a sender needs. */
export type ChannelTarget = Pick<
  typeof channelsTable.$inferSelect,
  'id' | 'kind' | 'url' | 'preset' | 'bearer' | 'secret' | 'previous_secret' | 'previous_until' | 'chat_id'
>

/** Crossings that one message tells a channel of. They stay together from the first try on, and so does the message's id. */
export interface ChannelBatch {
  readonly id: string
  readonly channel: ChannelTarget & {
    readonly owner_id: string
    readonly name: string | null
    readonly failing_since: Date | null
  }
  /** Tries that were begun, this one included. */
  readonly attempts: number
  /** Deliveries that were in the first try. */
  readonly size: number
  /** Oldest first. */
  readonly crossings: readonly WaitingCrossing[]
}

/** A batch that was tried before goes first, by itself; crossings that have come since are in the next one. */
export const CHANNELS: DeliveryQueue = {
  deliveries: channel_deliveries,
  targets: alert_channels,
  target: sql.identifier('channel_id'),
  ttl: CHANNEL_TTL,
  lease: CHANNEL_TIMEOUT_MS + 10_000,
  perTry: () => sql`${CROSSINGS_OF_MESSAGE}`,
  together: sql`d.batch IS NOT DISTINCT FROM (
      SELECT begun.batch FROM channel_deliveries begun
      WHERE begun.channel_id = free.id AND begun.outcome || '' = 'waiting' ORDER BY begun.batch NULLS LAST LIMIT 1)`,
  marks: sql`, batch = COALESCE(d.batch, (
    SELECT (array_agg(first.id ORDER BY first.id))[1] FROM chosen first WHERE first.target_id = d.channel_id))`,
  columns: sql`to_json(s) AS channel, d.batch, (
    SELECT count(*)::int FROM channel_deliveries begun WHERE begun.channel_id = s.id AND begun.batch = d.batch) AS size`,
}

interface ClaimedDelivery extends WaitingCrossing {
  /** The row as JSON: its times are texts. */
  readonly channel: Readonly<Record<keyof typeof channelsTable.$inferSelect, string | null>>
  readonly batch: string
  /** Deliveries that an earlier try had in this batch; 0: this is the first. */
  readonly size: number
}

/** Claims what is due for at most so many channels: one message for each. */
export async function claimBatches(database: Database, most: number, now: number): Promise<readonly ChannelBatch[]> {
  const rows = await claimFrom<ClaimedDelivery>(database, CHANNELS, most, now)
  const batches = new Map<string, ClaimedDelivery[]>()
  for (const row of rows) batches.set(row.batch, [...(batches.get(row.batch) ?? []), row])
  return Array.from(batches.values(), (of) => batchOf(of))
}

function batchOf(rows: readonly ClaimedDelivery[]): ChannelBatch {
  const [{ channel, batch, attempts, size }] = rows as readonly [ClaimedDelivery, ...ClaimedDelivery[]]
  const time = (text: string | null) => (text === null ? null : new Date(text))
  const target = {
    ...channel,
    previous_until: time(channel.previous_until),
    failing_since: time(channel.failing_since),
  } as ChannelBatch['channel']
  return {
    id: batch,
    channel: target,
    attempts,
    size: Math.max(size, rows.length),
    // A channel that was switched off since is told nothing.
    crossings: rows.map((row) => ({ ...row, wanted: row.wanted && channel.state === 'on' })).toSorted(byCrossing),
  }
}
