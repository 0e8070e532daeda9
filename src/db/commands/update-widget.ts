import type { UpdateWidgetBody } from '../../contract/widget'
import type { WidgetId } from '../../domain/ids'
import type { CommandContext, CommandResult } from '../command'
import { canonical } from '../ids'
import { absorbOrAppend } from '../outbox'
import { pairName } from './pair-name'
import { done, runCommand } from './run-command'

const NO_IDENTITY = 'Authentication context not available. Cannot update widget.'
const GONE = 'This pair is no longer on your dashboard.'

/** Changes the fields that `body` names; null clears a threshold. */
export function updateWidget(context: CommandContext, id: WidgetId, body: UpdateWidgetBody): Promise<CommandResult> {
  return runCommand(context, NO_IDENTITY, async (snapshot) => {
    const real = canonical(snapshot.ids, id)
    const widget = snapshot.shown.find((one) => one.id === real)
    if (widget === undefined) return { ok: false, message: GONE }
    const label = await pairName(context.db, widget.coin_a_id, widget.coin_b_id)
    await absorbOrAppend(context, snapshot, { kind: 'widget.update@1', payload: { widget: real, body }, label })
    return done
  })
}
