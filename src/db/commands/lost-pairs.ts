import { tempCheckpointId, tempWidgetId, type WidgetId } from '../../domain/ids'
import { mapId } from '../answers/widget-rows'
import type { OptimisticWidget } from '../board'
import type { CommandContext, CommandResult } from '../command'
import type { LocalDatabase } from '../database'
import { forgetLost } from '../forget-lost'
import { appendEntry } from '../outbox'
import { readLost } from '../queries/lost-pairs'
import { pairName, type Snapshot } from '../snapshot'
import { done, NO_SESSION, runCommand } from './run-command'

/**
 * Queues creates for the pairs that the server has lost, with thresholds, alert switch, checkpoint and place, as they
 * are shown, so that changes which waited for the pairs are contained. Without lost pairs, such as at the second click,
 * nothing happens.
 */
export function sendLostAgain(context: CommandContext): Promise<CommandResult> {
  return runCommand(context, NO_SESSION, async (snapshot) => {
    const { db } = context
    const lost = await readLost(db, snapshot.owner)
    if (lost.length === 0) return done
    const order = snapshot.shown.map(({ id }) => id)
    await forgetLost(db, lost, snapshot)
    const rest = order.filter((id) => !lost.some((row) => row.id === id))
    for (const widget of snapshot.shown) {
      if (!lost.some((row) => row.id === widget.id)) continue
      const temp = tempWidgetId(context.uuid())
      await mapId(db, snapshot.owner, widget.id, temp)
      await sendAgain(context, snapshot, widget, temp)
      order.splice(order.indexOf(widget.id), 1, temp)
      rest.push(temp)
    }
    const exchange = await takeBackOrders(db, snapshot)
    if (rest.some((id, place) => order[place] !== id)) {
      const payload = { ordered_ids: order, ...(exchange && { exchange: true as const }) }
      await appendEntry(context, snapshot, { kind: 'layout.reorder@1', payload, label: 'the layout' })
    }
    return done
  })
}

/** Removes the pairs that the server has lost from this device as well. */
export function removeLostHere(context: CommandContext): Promise<CommandResult> {
  return runCommand(context, NO_SESSION, async (snapshot) => {
    await forgetLost(context.db, await readLost(context.db, snapshot.owner), snapshot)
    return done
  })
}

/** A side that has fired stays disarmed: its threshold follows together with the flag. */
async function sendAgain(
  context: CommandContext,
  snapshot: Snapshot,
  widget: OptimisticWidget,
  temp: WidgetId,
): Promise<void> {
  const { coin_a_id, coin_b_id, high_threshold, low_threshold, notifications_enabled } = widget
  const label = pairName(snapshot, coin_a_id, coin_b_id)
  const [high, low] = [widget.high_threshold_active, widget.low_threshold_active]
  const body = {
    coin_a_id,
    coin_b_id,
    high_threshold: high ? high_threshold : null,
    low_threshold: low ? low_threshold : null,
    notifications_enabled,
  }
  await appendEntry(context, snapshot, { kind: 'widget.create@1', payload: { widget: temp, body }, label })
  if (!high || !low) {
    const disarmed = {
      ...(!high && { high_threshold, high_threshold_active: false }),
      ...(!low && { low_threshold, low_threshold_active: false }),
    }
    await appendEntry(context, snapshot, { kind: 'widget.update@1', payload: { widget: temp, body: disarmed }, label })
  }
  for (const { ratio, timestamp } of widget.checkpoints) {
    const checkpoint = tempCheckpointId(context.uuid())
    const saved = { ratio, timestamp, is_default: true }
    const payload = { widget: temp, checkpoint, body: saved }
    await appendEntry(context, snapshot, {
      kind: 'checkpoint.anonymous-create@1',
      payload,
      label,
      failure: 'Failed to save checkpoint',
    })
  }
}

/**
 * The new order says all that earlier ones did, which name pairs by ids that the server has forgotten.
 * @returns whether an exchange was among them
 */
async function takeBackOrders(db: LocalDatabase, { entries }: Snapshot): Promise<boolean> {
  const orders = entries.flatMap((entry) =>
    entry.kind === 'layout.reorder@1' && entry.state === 'waiting' ? [entry] : [],
  )
  await db.outbox.bulkDelete(orders.map((entry) => entry.seq!))
  return orders.some(({ payload }) => payload.exchange)
}
