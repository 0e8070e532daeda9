import type { UpdateWidgetBody } from '../../contract/widget'
import type { BandAlerts } from '../../domain/band-alerts'
import type { WidgetId } from '../../domain/ids'
import type { CommandContext, CommandResult } from '../command'
import { absorbOrAppend } from '../outbox'
import { done } from './run-command'
import { NO_IDENTITY } from './update-widget'
import { runWidgetCommand } from './widget-command'

const CHANGED = 'The thresholds have changed since, so nothing was undone.'

/** Both sides as they were before `setBandAlerts`. */
export type AlertsBefore = Required<
  Pick<UpdateWidgetBody, 'high_threshold' | 'high_threshold_active' | 'low_threshold' | 'low_threshold_active'>
>

/** Puts both thresholds and armed flags back in one change; refused where either threshold is no longer what was set. */
export const undoBandAlerts = (
  context: CommandContext,
  id: WidgetId,
  { high, low }: BandAlerts,
  before: AlertsBefore,
): Promise<CommandResult> =>
  runWidgetCommand(context, NO_IDENTITY, id, async ({ snapshot, widget, label }) => {
    if (widget.high_threshold !== high.threshold || widget.low_threshold !== low.threshold) {
      return { ok: false, message: CHANGED }
    }
    const payload = { widget: widget.id, body: before }
    await absorbOrAppend(context, snapshot, { kind: 'widget.update@1', payload, label })
    return done
  })
