import type { CheckpointDraft } from '../../domain/checkpoint-draft'
import { checkRoomForCheckpoint, reorderedCheckpoints, withoutCheckpoints } from '../../domain/checkpoint-list'
import { type CoinPrices, makesRatio } from '../../domain/coin-prices'
import { type CheckpointId, tempCheckpointId, type WidgetId } from '../../domain/ids'
import { LISTS_NEED_PREMIUM } from '../../domain/pair'
import { type Account, accountOf } from '../account'
import { canonical, type OptimisticCheckpoint } from '../board'
import { readSnapshot } from '../board-rows'
import { type CommandContext, type CommandResult, done, type Found, NO_SESSION, runWidgetCommand } from '../command'
import { isUnsent } from '../mutations/mutation-types'
import { appendTogether, cancelCreate, type NewEntry } from '../outbox'
import type { MutationKind, OutboxEntry } from '../outbox-entry'
import type { Snapshot } from '../snapshot'

/** Runs a command of the popover; refused for accounts that are not `allowed`. */
const runPopoverCommand = <T>(
  context: CommandContext,
  id: WidgetId,
  allowed: readonly Account[],
  body: (found: Found) => Promise<CommandResult<T>>,
): Promise<CommandResult<T>> =>
  runWidgetCommand(context, NO_SESSION, id, async (found) =>
    allowed.includes(accountOf(found.snapshot.session)) ? body(found) : { ok: false, message: LISTS_NEED_PREMIUM },
  )

/** The changes of a draft, with their messages. */
async function planCommit(
  context: CommandContext,
  found: Found,
  draft: CheckpointDraft,
): Promise<readonly NewEntry<MutationKind>[]> {
  const plan = await planDraft(context, found, draft)
  const deletesOnly = plan.every(({ kind }) => kind === 'checkpoint.delete-many@1')
  const failure = deletesOnly ? 'Failed to delete checkpoint' : 'Failed to save checkpoint changes'
  return plan.map((entry) => ({ ...entry, failure, success: 'Checkpoint changes saved.' }))
}

/**
 * Brings a pair's checkpoints to the popover's draft, all of it or nothing, as the server will. A user who loses premium
 * while the popover is open may still commit: the server arranges the lists of any user.
 */
export const commitCheckpoints = (
  context: CommandContext,
  id: WidgetId,
  draft: CheckpointDraft,
): Promise<CommandResult> =>
  runPopoverCommand(context, id, ['premium', 'free'], async (found) => {
    await appendTogether(context, found.snapshot, await planCommit(context, found, draft))
    return done
  })

/** The contents of a checkpoint made now. Prices of another tick, or such as the server refuses, are left out: the ratio is worth more. */
export const savedNow = ({ now }: CommandContext, ratio: number, prices: CoinPrices | null) => ({
  ratio,
  ...(prices !== null && makesRatio(prices, ratio) && { prices }),
  timestamp: new Date(now()).toISOString(),
})

/**
 * Commits the popover's draft and adds the ratio as a checkpoint, which becomes the default. Refused, it does neither.
 * @param prices of which the ratio is made; null: not known
 */
export const addCheckpoint = (
  context: CommandContext,
  id: WidgetId,
  ratio: number,
  draft: CheckpointDraft,
  prices: CoinPrices | null = null,
): Promise<CommandResult<CheckpointId>> =>
  runPopoverCommand(context, id, ['premium'], async (found) => {
    const { snapshot, widget, label } = found
    const deleted = draft.deleted.map((one) => canonical(snapshot.ids, one))
    const left = withoutCheckpoints(widget.checkpoints, deleted)
    const noRoom = checkRoomForCheckpoint(left.length, snapshot.limits)
    if (noRoom !== null) return { ok: false, message: noRoom }
    const plan = await planCommit(context, found, draft)
    const body = { ...savedNow(context, ratio, prices), is_default: true }
    const checkpoint = tempCheckpointId(context.uuid())
    const payload = { widget: widget.id, checkpoint, body }
    const texts = { failure: 'Failed to add checkpoint', success: 'Checkpoint added and set as default.' }
    await appendTogether(context, snapshot, [...plan, { kind: 'checkpoint.create@1', payload, label, ...texts }])
    return { ok: true, value: checkpoint }
  })

const sameOrder = (a: readonly OptimisticCheckpoint[], b: readonly OptimisticCheckpoint[]): boolean =>
  a.length === b.length && a.every((one, index) => one.id === b[index]?.id)

/**
 * The changes that lead from what is shown to the draft, in the order delete, reorder, set default, as far as needed.
 * Overtaken entries that were never sent go: creates of deleted checkpoints, and an earlier order and default. That can
 * bring another order or default to light, so the list is read again afterwards.
 */
export async function planDraft(
  context: CommandContext,
  { snapshot, widget, label }: Found,
  draft: CheckpointDraft,
): Promise<readonly NewEntry<MutationKind>[]> {
  const real = (id: CheckpointId): CheckpointId => canonical(snapshot.ids, id)
  const deleted = draft.deleted.map(real)
  const planFor = (
    list: readonly OptimisticCheckpoint[],
    order: readonly CheckpointId[],
    wantedDefault: CheckpointId | null,
  ) => {
    const gone = list.filter((one) => deleted.includes(one.id))
    const left = withoutCheckpoints(list, deleted)
    const ordered = reorderedCheckpoints(left, order)
    const chosen = ordered.find((one) => one.id === wantedDefault && !one.is_default)
    return { gone, ordered, moved: !sameOrder(left, ordered), chosen }
  }
  const first = planFor(widget.checkpoints, draft.order.map(real), draft.defaultId && real(draft.defaultId))
  if (first.gone.length === 0 && !first.moved && first.chosen === undefined) return []

  const list = await takeBackOvertaken(context, snapshot, widget.id, deleted)
  // Checkpoints that the draft leaves alone stay as shown, even if their mutation was not sent.
  const { gone, ordered, moved, chosen } = planFor(
    list,
    first.ordered.map(({ id }) => id),
    (first.chosen ?? first.ordered.find((one) => one.is_default))?.id ?? null,
  )
  const plan: NewEntry<MutationKind>[] = []
  const add = <K extends MutationKind>(entry: Pick<NewEntry<K>, 'kind' | 'payload'>): void =>
    void plan.push({ ...entry, label })
  const of = { widget: widget.id }
  if (gone.length > 0) {
    add({ kind: 'checkpoint.delete-many@1', payload: { ...of, checkpoint_ids: gone.map(({ id }) => id) } })
  }
  if (moved) add({ kind: 'checkpoint.reorder@1', payload: { ...of, ordered_ids: ordered.map(({ id }) => id) } })
  if (chosen !== undefined) add({ kind: 'checkpoint.set-default@1', payload: { ...of, checkpoint: chosen.id } })
  return plan
}

/** Returns the list as it is shown then. */
async function takeBackOvertaken(
  context: CommandContext,
  before: Snapshot,
  widget: WidgetId,
  deleted: readonly CheckpointId[],
): Promise<readonly OptimisticCheckpoint[]> {
  for (let snapshot = before; ;) {
    const { entries, ids } = snapshot
    const isOvertaken = (entry: OutboxEntry): boolean =>
      entry.kind === 'checkpoint.create@1'
        ? deleted.includes(entry.payload.checkpoint)
        : (entry.kind === 'checkpoint.reorder@1' || entry.kind === 'checkpoint.set-default@1') &&
          canonical(ids, entry.payload.widget) === widget
    const overtaken = entries.find((entry) => isUnsent(entry) && isOvertaken(entry))
    if (overtaken === undefined) return snapshot.shown.find((one) => one.id === widget)?.checkpoints ?? []
    await cancelCreate(context, snapshot, overtaken)
    // Each one taken back changes others, so what is left is read anew.
    snapshot = (await readSnapshot(context.db))!
  }
}
