import { type OwnerId, tempWidgetId } from '../../domain/ids'
import { mapId, withSnapshot } from '../board-rows'
import { type CommandContext, type CommandResult, done, NO_SESSION, runCommand } from '../command'
import type { LocalDatabase } from '../database'
import { forgetLost, readLost } from '../lost-pairs'
import { appendEntry, appendPair, setupPairOf } from '../outbox'
import { pairName, type Snapshot } from '../snapshot'
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
      await appendPair(context, snapshot, temp, setupPairOf(widget))
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

/** For the question to the guest about pairs that the server no longer has. */
export interface LostPairsView {
  readonly owner: OwnerId
  /** Such as `BTC/ETH`; empty: nothing is lost. */
  readonly names: readonly string[]
  /** All pairs on the board are lost. */
  readonly all: boolean
}

/** Reads next to nothing while nothing is lost: this is asked again with every change of a pair's row. */
export async function readLostPairs(db: LocalDatabase): Promise<LostPairsView | undefined> {
  const session = await db.session.get('current')
  if (session === undefined) return undefined
  const { owner } = session
  if ((await readLost(db, owner)).length === 0) return { owner, names: [], all: false }
  return withSnapshot(db, async (snapshot) => {
    const lost = await readLost(db, snapshot.owner)
    const names = lost.map((row) => pairName(snapshot, row.coin_a_id, row.coin_b_id))
    return { owner: snapshot.owner, names, all: names.length === snapshot.rows.length }
  })
}
