import { isAnonymousOwner, type OpId, type OwnerId, tempCheckpointId, tempRuleId, tempWidgetId } from '../../domain/ids'
import type { Limits } from '../../domain/tier-limits'
import { guestPairId, isMadeWith, keyFor, printOf, readGuestBoard, removeGuestCopy } from '../answers/brought-pairs'
import { isSamePair, type OptimisticWidget } from '../board'
import { withSnapshot } from '../board-rows'
import { type CommandContext, type CommandResult, done, NO_SESSION, runCommand } from '../command'
import type { LocalDatabase } from '../database'
import { appendEntry, type NewEntry, ruleBodyOf } from '../outbox'
import type { MutationKind } from '../outbox-entry'
import { changeOwnerSyncState, readOwnerSyncState } from '../owner-sync-state'
import { readAlertsOf } from '../own-alerts'
import { pairName, type Snapshot } from '../snapshot'
import { queueSettings } from './alert-settings'
import { BARE_CREATE, changedSettings, decisionsOf, hasDecisions } from '../widget-settings'

/** The offer to a user to bring along the pairs that this browser's guest still has. */
export interface GuestOffer {
  readonly owner: OwnerId
  /** Names of the pairs that can come along now, such as `BTC/ETH`. */
  readonly ready: readonly string[]
  /** How many more there are than the tier holds. */
  readonly beyond: number
  /** How many the user has already. */
  readonly there: number
  /** The question has not been answered yet, or the tier holds more than at the answer. */
  readonly ask: boolean
  /** The question was answered with yes when the account was made. */
  readonly bring: boolean
}

/** Null where nothing is left to be offered, and while the user's own pairs are not known. */
export async function readGuestOffer(db: LocalDatabase): Promise<GuestOffer | null> {
  const offer = await withSnapshot(db, async (snapshot) => {
    const { owner, limits } = snapshot
    const { pulled_at, guest_asked, brings_guest = false } = await readOwnerSyncState(db, owner)
    const plan = await planGuestPairs(db, snapshot)
    const all = askedAbout(plan)
    if (pulled_at === null || all.length === 0) return null
    const name = ({ coin_a_id, coin_b_id }: OptimisticWidget) => pairName(snapshot, coin_a_id, coin_b_id)
    const isNew = guest_asked == null || all.some((pair) => !guest_asked.pairs.includes(pair))
    const hasGrown = guest_asked?.max_widgets != null && limits.max_widgets > guest_asked.max_widgets
    const ask = plan.ready.length > 0 && (isNew || hasGrown)
    return {
      owner,
      ready: plan.ready.map(({ pair }) => name(pair)),
      beyond: plan.beyond.length,
      there: plan.there.length,
      ask: ask && !brings_guest,
      bring: ask && brings_guest,
    }
  })
  return offer ?? null
}

/**
 * Queues the pairs of this browser's guest for the user who has logged in, with thresholds, alert switch and checkpoints,
 * in the guest's order, as many as the tier holds. The guest keeps each until the server has made it for the user. Run
 * again, it queues only what is missing.
 */
export function bringPairsAlong(context: CommandContext): Promise<CommandResult> {
  return runCommand(context, NO_SESSION, async (snapshot) => {
    const plan = await planGuestPairs(context.db, snapshot)
    for (const one of plan.ready) await bringAlong(context, snapshot, one)
    await bringAlerts(context, snapshot)
    const asked = { pairs: askedAbout(plan), max_widgets: snapshot.limits.max_widgets }
    await changeOwnerSyncState(context.db, snapshot.owner, { guest_asked: asked, brings_guest: false })
    return done
  })
}

/** Alerts that the guest has of all pairs, and quiet hours, are the user's from now on. */
async function bringAlerts(context: CommandContext, snapshot: Snapshot): Promise<void> {
  const { session, owner } = snapshot
  const [guest, own] = await Promise.all([session.anonymous_id, owner].map((one) => readAlertsOf(context.db, one)))
  const body = {
    ...(guest?.extremes === true && own?.extremes !== true && { extremes: true }),
    ...(guest?.quiet_hours != null && own?.quiet_hours == null && { quiet_hours: guest.quiet_hours }),
  }
  if (Object.keys(body).length > 0) await queueSettings(context, snapshot, body)
}

/** Notes that the user wants none of the guest's pairs now; the question comes again at the next login. */
export function leavePairsWithGuest(context: CommandContext): Promise<CommandResult> {
  return runCommand(context, NO_SESSION, async (snapshot) => {
    const pairs = askedAbout(await planGuestPairs(context.db, snapshot))
    await changeOwnerSyncState(context.db, snapshot.owner, {
      guest_asked: { pairs, max_widgets: null },
      brings_guest: false,
    })
    return done
  })
}

async function bringAlong(context: CommandContext, snapshot: Snapshot, { pair, made }: Bringable): Promise<void> {
  const label = pairName(snapshot, pair.coin_a_id, pair.coin_b_id)
  const id = guestPairId(pair)
  const guest = snapshot.session.anonymous_id
  const brings = { guest, pair: id, print: printOf(pair), removal: context.uuid() as OpId }
  const entries = entriesFor(context, snapshot, pair, made, label)
  const group = keyFor(id, snapshot.owner)
  for (const entry of entries) await appendEntry(context, snapshot, { ...entry, group, brings })
  if (entries.length === 0) await removeGuestCopy(context.db, brings, label, context.now())
}

/** Mutations that bring the guest's pair to the user; creates first. */
function entriesFor(
  context: CommandContext,
  { owner }: Snapshot,
  pair: OptimisticWidget,
  made: OptimisticWidget | null,
  label: string,
): readonly NewEntry<MutationKind>[] {
  const { coin_a_id, coin_b_id } = pair
  const widget = made?.id ?? tempWidgetId(context.uuid())
  const entries: NewEntry<MutationKind>[] = []
  if (made === null) {
    // The same key needs the same body: fields that may change since follow in an update.
    const body = { coin_a_id, coin_b_id, ...BARE_CREATE }
    entries.push({ kind: 'widget.create@1', payload: { widget, body }, label, opId: keyFor(guestPairId(pair), owner) })
  }
  if (hasDecisions(pair) && (made === null || !hasDecisions(made))) {
    entries.push({ kind: 'widget.update@1', payload: { widget, body: changedSettings(pair) }, label })
  }
  for (const { ratio, prices, timestamp, is_default, key: opId } of missing(
    pair.checkpoints,
    made?.checkpoints,
    owner,
  )) {
    const body = { ratio, ...(prices !== undefined && { prices }), timestamp, is_default }
    const payload = { widget, checkpoint: tempCheckpointId(context.uuid()), body }
    entries.push({ kind: 'checkpoint.create@1', payload, label, opId })
  }
  for (const { key: opId, ...rule } of missing(pair.rules, made?.rules, owner)) {
    for (const body of ruleBodyOf(rule)) {
      const payload = { widget, rule: tempRuleId(context.uuid()), body }
      entries.push({ kind: 'rule.create@1', payload, label, opId })
    }
  }
  return entries
}

interface Bringable {
  readonly pair: OptimisticWidget
  /** The user's pair that the server has made of it already, where an earlier try was interrupted. */
  readonly made: OptimisticWidget | null
}

/** The guest's pairs by their fate if they are brought along now, each in the guest's order. */
interface GuestPlan {
  readonly ready: readonly Bringable[]
  /** Beyond the tier's limit. */
  readonly beyond: readonly OptimisticWidget[]
  /** The user has a pair of the same coins in the same order, which stays as it is, as the guest's does. */
  readonly there: readonly OptimisticWidget[]
}

/**
 * Plans the bringing along of the guest's pairs to the user of `snapshot`. Pairs that are on their way, to this user or
 * to another who has left, are not in it.
 */
async function planGuestPairs(db: LocalDatabase, snapshot: Snapshot): Promise<GuestPlan> {
  const { session, owner, shown, limits } = snapshot
  const plan = { ready: [] as Bringable[], beyond: [] as OptimisticWidget[], there: [] as OptimisticWidget[] }
  if (isAnonymousOwner(owner)) return plan
  const board = await readGuestBoard(db, session.anonymous_id)
  const onTheWay = new Set(
    (await db.outbox.toArray()).flatMap(({ brings }) => (brings === undefined ? [] : [brings.pair])),
  )
  let room = limits.max_widgets - shown.length
  for (const pair of board.shown) {
    if (onTheWay.has(guestPairId(pair))) continue
    const key = keyFor(guestPairId(pair), owner)
    const made = shown.find((one) => isMadeWith(one, key)) ?? null
    if (made !== null && isUnfinished(made, pair, owner, limits)) plan.ready.push({ pair, made })
    else if (shown.some((one) => isSamePair(one, pair))) plan.there.push(pair)
    else if (room-- > 0) plan.ready.push({ pair, made: null })
    else plan.beyond.push(pair)
  }
  return plan
}

/** Those of the guest's checkpoints or rules that the server has not made for the user yet. */
const missing = <T extends { readonly id: string; readonly created_by_op: OpId | null }>(
  ofGuest: readonly T[],
  made: readonly T[] | undefined,
  user: OwnerId,
): readonly (T & { readonly key: OpId })[] =>
  ofGuest
    .map((one) => ({ ...one, key: keyFor(one.created_by_op ?? one.id, user) }))
    .filter(({ key }) => made?.some((one) => isMadeWith(one, key)) !== true)

/** False where guest or user has decided otherwise since: both copies stay. */
function isUnfinished(made: OptimisticWidget, pair: OptimisticWidget, user: OwnerId, limits: Limits): boolean {
  const isEqual = decisionsOf(made).every((decision, place) => decision === decisionsOf(pair)[place])
  const checkpoints = made.checkpoints.length + missing(pair.checkpoints, made.checkpoints, user).length
  return (isEqual || !hasDecisions(made)) && checkpoints <= limits.max_checkpoints_per_widget
}

/** All pairs that the user is asked about. */
const askedAbout = ({ ready, beyond }: GuestPlan): readonly string[] =>
  [...ready.map(({ pair }) => pair), ...beyond].map(guestPairId)
