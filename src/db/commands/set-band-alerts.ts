import type { BandAlerts } from '../../domain/band-alerts'
import type { WidgetId } from '../../domain/ids'
import type { CommandContext, CommandResult } from '../command'
import { updateWidget } from './update-widget'

/** Sets both thresholds with their arming in one change: never one without the other, and one thing to undo or refuse. */
export const setBandAlerts = (
  context: CommandContext,
  id: WidgetId,
  { high, low }: BandAlerts,
): Promise<CommandResult> =>
  updateWidget(context, id, {
    high_threshold: high.threshold,
    high_threshold_active: high.armed,
    low_threshold: low.threshold,
    low_threshold_active: low.armed,
  })
