import { isAnonymousOwner, tempCheckpointId, type CheckpointId, type WidgetId } from '../../domain/ids'
import type { CommandContext, CommandResult } from '../command'
import { canonical } from '../ids'
import { appendEntry } from '../outbox'
import { pairName } from './pair-name'
import { runCommand } from './run-command'

const NO_GUEST = 'User session not found. Please refresh and try again.'
const GONE = 'This pair is no longer on your dashboard.'

/** Saves the ratio as a guest's only checkpoint of a pair, replacing the one there is. */
export function saveAnonymousCheckpoint(
  context: CommandContext,
  { widget: id, ratio }: { readonly widget: WidgetId; readonly ratio: number },
): Promise<CommandResult<CheckpointId>> {
  return runCommand(context, NO_GUEST, async (snapshot) => {
    if (!isAnonymousOwner(snapshot.owner)) return { ok: false, message: NO_GUEST }
    const real = canonical(snapshot.ids, id)
    const widget = snapshot.shown.find((one) => one.id === real)
    if (widget === undefined) return { ok: false, message: GONE }
    const label = await pairName(context.db, widget.coin_a_id, widget.coin_b_id)
    const checkpoint = tempCheckpointId(context.uuid())
    const body = { ratio, timestamp: new Date(context.now()).toISOString(), is_default: true }
    await appendEntry(context, snapshot, {
      kind: 'checkpoint.anonymous-create@1',
      payload: { widget: real, checkpoint, body },
      label,
    })
    return { ok: true, value: checkpoint }
  })
}
