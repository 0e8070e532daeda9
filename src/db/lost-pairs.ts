import type { Widget } from '../contract/widget'
import { type OwnerId, tempWidgetId } from '../domain/ids'
import { deleteWidgetRow, mapId } from './answers/widget-rows'
import { canonical, isSamePair } from './board'
import { type CommandContext, type CommandResult, done, NO_SESSION, runCommand } from './command'
import type { LocalDatabase } from './database'
import type { OutboxEntry } from './outbox-entry'
import { isKnown, mutationTypeOf } from './mutations/mutation-types'
import { appendEntry, appendPair, isMarkedForDeletion, setupPairOf } from './outbox'
import type { CheckpointRow, OwnerRow, WidgetRow } from './rows'
import { pairName, type Snapshot } from './snapshot'
import { readKnownIds, withSnapshot } from './read-snapshot'

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

/** Forgets lost pairs, with everything that waits for them: the server could only refuse that. */
export async function forgetLost(
  db: LocalDatabase,
  lost: readonly WidgetRow[],
  { entries, ids }: Pick<Snapshot, 'entries' | 'ids'>,
): Promise<void> {
  const gone = new Set<string>(lost.map(({ id }) => id))
  const waiting = entries.filter((entry) => {
    const widget = isKnown(entry) && entry.state !== 'leased' ? mutationTypeOf(entry).widget(entry.payload) : null
    return widget !== null && gone.has(canonical(ids, widget))
  })
  await db.outbox.bulkDelete(waiting.map((entry) => entry.seq!))
  for (const { id } of lost) await deleteWidgetRow(db, id)
}

/** The owner's pairs that the server has lost, in the order of the board. */
export const readLost = async (db: LocalDatabase, owner: OwnerId): Promise<readonly WidgetRow[]> =>
  (await db.widgets.where('owner').equals(owner).sortBy('display_order')).filter((row) => row.lost === true)

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

/** A guest's pair that the server no longer has. */
interface LostRow {
  readonly widget: WidgetRow
  readonly checkpoints: readonly CheckpointRow[]
}

/**
 * The guest's pairs that the server's list lacks and that this device did not remove. A guest exists in one browser
 * only, so the server has lost them: it was restored from a backup, or began anew. A user's may have been removed by
 * another device.
 */
export async function findLost(
  db: LocalDatabase,
  owner: OwnerId,
  widgets: readonly Widget[],
  queue: readonly OutboxEntry[],
  { given_up = [] }: OwnerRow,
): Promise<readonly LostRow[]> {
  const [rows, ids] = [await db.widgets.where('owner').equals(owner).sortBy('display_order'), await readKnownIds(db)]
  const missing = rows.filter(
    (row) =>
      !widgets.some((one) => one.id === row.id || isSamePair(one, row)) &&
      !given_up.includes(row.id) &&
      !isMarkedForDeletion(row.id, queue, ids),
  )
  return Promise.all(
    missing.map(async (widget) => ({
      widget,
      checkpoints: await db.checkpoints.where('widget_id').equals(widget.id).toArray(),
    })),
  )
}

/** Writes lost pairs back to their places among the rows of a pull, marked as lost. */
export async function keepLost(db: LocalDatabase, lost: readonly LostRow[]): Promise<void> {
  const { owner } = lost[0]!.widget
  const rows = await db.widgets.where('owner').equals(owner).sortBy('display_order')
  for (const { widget } of lost) rows.splice(widget.display_order, 0, { ...widget, lost: true })
  await db.widgets.bulkPut(rows.map((row, index) => ({ ...row, display_order: index })))
  await db.checkpoints.bulkPut(lost.flatMap(({ checkpoints }) => checkpoints))
}
