import type { AlertMessage, AlertsAnswer, Crossing } from '../../contract/alerts'
import { isFreshForAlerts } from '../../domain/alerts'
import { MINUTE } from '../../domain/granularity'
import type { OwnerId } from '../../domain/ids'
import { heldUntil, isPaused } from '../../domain/quiet-hours'
import { type Claim, noteAlerts, pruneAlerts } from '../alert-rows'
import { hasFeature, type LocalDatabase } from '../database'
import { readAlertsOf } from '../own-alerts'
import { changeOwnerSyncState, raiseRevision, readOwnerSyncState } from '../owner-sync-state'
import type { AlertRow, AlertsPull, WidgetRow } from '../rows'
import { readClockAhead } from '../server-clock'
import { readSnoozes } from '../snoozes'
import { writeTransaction } from '../write-transaction'

/**
 * Stores a page of the server's list of crossings, in one transaction. The caller announces new crossings of the last ten
 * minutes, if their pair is there with its alerts on, and neither quiet hours nor a pause hold them; others are listed quietly. Those of an owner's first pull on this
 * device are history, and count as seen.
 * @param now milliseconds
 * @returns the crossings to announce; null, and nothing is written, if `owner` does not use this browser
 */
export async function acceptAlerts(
  db: LocalDatabase,
  owner: OwnerId,
  { as_of, alerts }: AlertsAnswer,
  now: number,
): Promise<readonly AlertRow[] | null> {
  return writeTransaction(db, [db.session, db.owners, db.widgets, db.meta, db.alerts, db.outbox], async () => {
    const session = await db.session.get('current')
    if (session?.owner !== owner) return null
    const [ahead, { alerts_pull }] = [await readClockAhead(db), await readOwnerSyncState(db, owner)]
    const hold = await readAlertsOf(db, owner)
    const pairs = await db.widgets.where('owner').equals(owner).toArray()
    const isSnoozed = await readSnoozes(db, owner, pairs)
    const stored = await db.alerts.bulkGet(alerts.map(({ event_id }) => event_id))
    const known = new Set(stored.map((row) => row?.event_id))
    // The server looks at a crossing within a second, and then says itself whether the pair was snoozed.
    const isUnsaid = ({ event_id, crossed_at }: Crossing) =>
      !known.has(event_id) && Date.parse(as_of) - Date.parse(crossed_at) < MINUTE
    const wants = new Map(pairs.map(({ id, notifications_enabled }) => [id, notifications_enabled]))
    const rows = alerts.map((crossing): AlertRow => {
      const row = alertOfPush(crossing, owner, ahead)
      const back = crossing.back_at === null ? {} : { back_at: Date.parse(crossing.back_at) + ahead }
      const snoozed = crossing.not_sent === 'snoozed' || (isUnsaid(crossing) && isSnoozed(crossing))
      const held = snoozed ? null : heldOf(crossing, known.has(crossing.event_id) ? {} : hold)
      const told = { ...back, ...fatesOf(crossing, ahead) }
      const says = {
        ...told,
        ...(held !== undefined && { held_until: held && held + ahead }),
        ...(snoozed && { not_sent: 'snoozed' }),
      }
      // Both by the server's clock, so that this device's own does not matter.
      const isFresh = isFreshForAlerts(Date.parse(crossing.crossed_at), Date.parse(as_of))
      // The switch of the pair is of its thresholds.
      const isWanted = crossing.kind === undefined ? wants.get(crossing.widget_id) : wants.has(crossing.widget_id)
      const isAnnounced = isFresh && isWanted === true && held === undefined && crossing.loudness !== 'log'
      if (isAnnounced) return { ...row, ...told, by: 'sync' }
      return { ...row, ...says, by: 'sync', toasted: true, quiet: true, seen_at: alerts_pull == null ? now : null }
    })
    const claims = await noteAlerts(db, rows)
    await pruneAlerts(db, owner, Date.parse(as_of) + ahead)
    return claims.filter(({ isFirst, alert }) => isFirst && alert.quiet !== true).map(({ alert }) => alert)
  })
}

/** Ways and outcomes of telling its owner. @param ahead as in `alertOfPush` */
const fatesOf = ({ deliveries, not_sent }: Crossing, ahead: number): Pick<AlertRow, 'deliveries' | 'not_sent'> => ({
  ...(deliveries && {
    deliveries: deliveries.map((one) => ({ ...one, at: one.at === null ? null : Date.parse(one.at) + ahead })),
  }),
  ...(not_sent !== undefined && { not_sent }),
})

/** As the server says, or will say once it looks at the crossing. */
function heldOf(
  { crossed_at, held_until }: Crossing,
  hold: Parameters<typeof heldUntil>[0],
): number | null | undefined {
  if (held_until != null) return Date.parse(held_until)
  return held_until === null ? null : heldUntil(hold, Date.parse(crossed_at))
}

/** Notes that all of an owner's crossings are stored, unless another owner uses this browser by now. */
export async function noteAlertsPull(db: LocalDatabase, owner: OwnerId, alerts_pull: AlertsPull): Promise<void> {
  await writeTransaction(db, [db.session, db.owners], async () => {
    const session = await db.session.get('current')
    if (session?.owner === owner) await changeOwnerSyncState(db, owner, { alerts_pull })
  })
}

type PushedAlert = Omit<AlertMessage, 'type' | 'owner'>

/**
 * A crossing of the server as a row: its time on this device's clock, by which the screen and its ages go.
 * @param ahead milliseconds by which this device's clock is ahead of the server's
 */
export const alertOfPush = (message: PushedAlert, owner: OwnerId, ahead: number): AlertRow => ({
  event_id: message.event_id,
  owner,
  widget_id: message.widget_id,
  coin_a_id: message.coin_a_id,
  coin_b_id: message.coin_b_id,
  pair: message.pair,
  side: message.side,
  ...(message.kind !== undefined && { kind: message.kind }),
  ratio: message.ratio,
  threshold: message.threshold,
  ...(message.measure !== undefined && { measure: message.measure }),
  ...(message.days !== undefined && { days: message.days }),
  ...(message.window !== undefined && { window: message.window }),
  ...(message.note !== undefined && { note: message.note }),
  ...(message.loudness !== undefined && { loudness: message.loudness }),
  at: Date.parse(message.crossed_at) + ahead,
  by: 'push',
  crossed_at: message.crossed_at,
  toasted: false,
  seen_at: null,
  rearm_later: false,
})

/** A push, stored. */
interface AcceptedPush {
  readonly claims: readonly Claim[]
  /** Alerts are paused, or the pairs snoozed, as this device knows. */
  readonly paused: boolean
  /** The server takes snoozes. */
  readonly canSnooze: boolean
}

/**
 * Stores a push, in one transaction: its alerts are noted unless they are known, and the pairs' cards show that thresholds have
 * fired. Null, and nothing is written, if `owner` does not use this browser.
 * @param owner whom the push is for
 * @param now milliseconds
 */
export async function acceptPush(
  db: LocalDatabase,
  messages: readonly PushedAlert[],
  owner: OwnerId,
  now: number,
): Promise<AcceptedPush | null> {
  const tables = [db.session, db.owners, db.widgets, db.meta, db.alerts, db.outbox]
  return writeTransaction(db, tables, async () => {
    const session = await db.session.get('current')
    if (session?.owner !== owner) return null
    const ahead = await readClockAhead(db)
    const claims = await noteAlerts(
      db,
      messages.map((message) => alertOfPush(message, owner, ahead)),
    )
    for (const message of messages) {
      const row = await db.widgets.get(message.widget_id)
      if (row?.owner === owner && message.kind === undefined) await db.widgets.put(disarmed(row, message))
    }
    // A pull that is under way may have been read before the crossing.
    await raiseRevision(db, owner, { needs_pull: true })
    const isSnoozed = await readSnoozes(db, owner, await db.widgets.where('owner').equals(owner).toArray())
    const paused = isPaused(await readAlertsOf(db, owner), now) || messages.every(isSnoozed)
    return { claims, paused, canSnooze: await hasFeature(db, 'snooze') }
  })
}

/**
 * The row with the side disarmed that has fired. A row of an earlier epoch does not know yet that the server
 * has armed the side again since; of a later epoch a push that comes late says nothing.
 */
const disarmed = (row: WidgetRow, { side, epoch }: PushedAlert): WidgetRow =>
  row[`${side}_epoch`] > epoch ? row : { ...row, [`${side}_epoch`]: epoch, [`${side}_threshold_active`]: false }
