import { isBeyond } from '../../domain/alerts'
import type { WidgetId } from '../../domain/ids'
import { presetThreshold } from '../../domain/threshold-entry'
import type { LaidWidget } from '../board'
import type { CommandContext, CommandResult } from '../command'
import { updateWidget } from './update-widget'

/**
 * Switches a pair's alerts. Switching them on sets the thresholds that are missing, and disarms one that the ratio is
 * beyond already: it would fire at once.
 * @param ratio the present one; null: not known, so that nothing can be proposed or compared
 */
export const setAlerts = (
  context: CommandContext,
  id: WidgetId,
  on: boolean,
  ratio: number | null,
): Promise<CommandResult> =>
  updateWidget(context, id, (widget) =>
    on && ratio !== null
      ? { notifications_enabled: true, ...highFor(widget, ratio), ...lowFor(widget, ratio) }
      : { notifications_enabled: on },
  )

const highFor = ({ high_threshold: threshold }: LaidWidget, ratio: number) => {
  if (threshold === null) return { high_threshold: presetThreshold('high', ratio), high_threshold_active: true }
  return isBeyond('high', ratio, threshold) ? { high_threshold_active: false } : {}
}

const lowFor = ({ low_threshold: threshold }: LaidWidget, ratio: number) => {
  if (threshold === null) return { low_threshold: presetThreshold('low', ratio), low_threshold_active: true }
  return isBeyond('low', ratio, threshold) ? { low_threshold_active: false } : {}
}
