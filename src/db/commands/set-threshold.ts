import type { AlertSide } from '../../domain/alerts'
import type { WidgetId } from '../../domain/ids'
import type { CommandContext, CommandResult } from '../command'
import { updateWidget } from './update-widget'

/**
 * Sets one side's threshold, or clears it.
 * @param value a ratio; null clears it
 * @param armed false: it does not fire before the ratio has come back across it
 */
export const setThreshold = (
  context: CommandContext,
  id: WidgetId,
  side: AlertSide,
  value: number | null,
  armed: boolean,
): Promise<CommandResult> =>
  updateWidget(
    context,
    id,
    side === 'high'
      ? { high_threshold: value, high_threshold_active: armed }
      : { low_threshold: value, low_threshold_active: armed },
  )
