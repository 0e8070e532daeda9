import type { UpdateWidgetBody } from '../../contract/widget'
import type { WidgetId } from '../../domain/ids'
import type { LaidWidget } from '../board'
import type { CommandContext, CommandResult } from '../command'
import { absorbOrAppend } from '../outbox'
import { done } from './run-command'
import { runWidgetCommand } from './widget-command'

export const NO_IDENTITY = 'Authentication context not available. Cannot update widget.'

/** Changes the fields that `body` names; null clears a threshold. */
export function updateWidget(
  context: CommandContext,
  id: WidgetId,
  body: UpdateWidgetBody | ((widget: LaidWidget) => UpdateWidgetBody),
): Promise<CommandResult> {
  return runWidgetCommand(context, NO_IDENTITY, id, async ({ snapshot, widget, label }) => {
    const change = typeof body === 'function' ? body(widget) : body
    const payload = { widget: widget.id, body: change }
    await absorbOrAppend(context, snapshot, { kind: 'widget.update@1', payload, label })
    return done
  })
}
