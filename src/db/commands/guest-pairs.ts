import { type OpId, tempCheckpointId, tempWidgetId } from '../../domain/ids'
import { removeGuestCopy } from '../answers/end-brought'
import { changeOwnerSyncState } from '../answers/owner-sync-state'
import type { OptimisticWidget } from '../board'
import { type CommandContext, type CommandResult, done, NO_SESSION, runCommand } from '../command'
import {
  askedAbout,
  type Bringable,
  guestPairId,
  hasAlerts,
  keyFor,
  missingCheckpoints,
  planGuestPairs,
  printOf,
} from '../guest-pairs'
import { appendEntry, type NewEntry } from '../outbox'
import type { MutationKind } from '../outbox-entry'
import { pairName, type Snapshot } from '../snapshot'

/**
 * Queues the pairs of this browser's guest for the user who has logged in, with thresholds, alert switch and checkpoints,
 * in the guest's order, as many as the tier holds. The guest keeps each until the server has made it for the user. Run
 * again, it queues only what is missing.
 */
export function bringPairsAlong(context: CommandContext): Promise<CommandResult> {
  return runCommand(context, NO_SESSION, async (snapshot) => {
    const plan = await planGuestPairs(context.db, snapshot)
    for (const one of plan.ready) await bringAlong(context, snapshot, one)
    const asked = { pairs: askedAbout(plan), max_widgets: snapshot.limits.max_widgets }
    await changeOwnerSyncState(context.db, snapshot.owner, { guest_asked: asked })
    return done
  })
}

/** Notes that the user wants none of the guest's pairs now; the question comes again at the next login. */
export function leavePairsWithGuest(context: CommandContext): Promise<CommandResult> {
  return runCommand(context, NO_SESSION, async (snapshot) => {
    const pairs = askedAbout(await planGuestPairs(context.db, snapshot))
    await changeOwnerSyncState(context.db, snapshot.owner, { guest_asked: { pairs, max_widgets: null } })
    return done
  })
}

async function bringAlong(context: CommandContext, snapshot: Snapshot, { pair, made }: Bringable): Promise<void> {
  const label = pairName(snapshot, pair.coin_a_id, pair.coin_b_id)
  const id = guestPairId(pair)
  const brings = {
    guest: snapshot.session.anonymous_id,
    pair: id,
    print: printOf(pair),
    removal: context.uuid() as OpId,
  }
  const entries = entriesFor(context, snapshot, pair, made, label)
  for (const entry of entries)
    await appendEntry(context, snapshot, { ...entry, group: keyFor(id, snapshot.owner), brings })
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
  const { coin_a_id, coin_b_id, high_threshold, low_threshold, notifications_enabled } = pair
  const widget = made?.id ?? tempWidgetId(context.uuid())
  const entries: NewEntry<MutationKind>[] = []
  if (made === null) {
    // The same key needs the same body: fields that may change since follow in an update.
    const body = { coin_a_id, coin_b_id, high_threshold: null, low_threshold: null, notifications_enabled: false }
    entries.push({ kind: 'widget.create@1', payload: { widget, body }, label, opId: keyFor(guestPairId(pair), owner) })
  }
  if (hasAlerts(pair) && (made === null || !hasAlerts(made))) {
    const body = {
      high_threshold,
      low_threshold,
      notifications_enabled,
      // A side that has fired stays disarmed: its threshold follows together with the flag.
      ...(!pair.high_threshold_active && { high_threshold_active: false }),
      ...(!pair.low_threshold_active && { low_threshold_active: false }),
    }
    entries.push({ kind: 'widget.update@1', payload: { widget, body }, label })
  }
  for (const { ratio, timestamp, is_default, key: opId } of missingCheckpoints(pair, made, owner)) {
    const payload = { widget, checkpoint: tempCheckpointId(context.uuid()), body: { ratio, timestamp, is_default } }
    entries.push({ kind: 'checkpoint.create@1', payload, label, opId })
  }
  return entries
}
