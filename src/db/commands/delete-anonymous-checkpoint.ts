import type { WidgetId } from '../../domain/ids'
import type { CommandContext, CommandResult } from '../command'
import { canonical } from '../ids'
import { absorbOrAppend, isUnsent } from '../outbox'
import { overlay } from '../overlay'
import { pairName } from './pair-name'
import { done, runCommand } from './run-command'

const NO_GUEST = 'User session not found. Please refresh and try again.'

/**
 * Deletes a guest's only checkpoint of a pair. Saves that were never sent are taken back; what they had replaced
 * would come to light again, so it is deleted too.
 */
export function deleteAnonymousCheckpoint(context: CommandContext, id: WidgetId): Promise<CommandResult> {
  return runCommand(context, NO_GUEST, async (snapshot) => {
    const { shown, rows, entries, ids } = snapshot
    const real = canonical(ids, id)
    const widget = shown.find((one) => one.id === real)
    if (widget === undefined || widget.checkpoints.length === 0) return done
    const unsent = entries.filter(
      (entry) =>
        entry.kind === 'checkpoint.anonymous-create@1' &&
        isUnsent(entry) &&
        canonical(ids, entry.payload.widget) === real,
    )
    for (const entry of unsent) await context.db.outbox.delete(entry.seq!)

    const rest = entries.filter((entry) => !unsent.includes(entry))
    const replaced = overlay(rows, rest, ids, shown.length).find((one) => one.id === real)?.checkpoints[0]
    if (replaced !== undefined) {
      const label = await pairName(context.db, widget.coin_a_id, widget.coin_b_id)
      await absorbOrAppend(context, snapshot, {
        kind: 'checkpoint.anonymous-delete@1',
        payload: { widget: real, checkpoint: replaced.id },
        label,
      })
    }
    return done
  })
}
