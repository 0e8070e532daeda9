import type { UpdateWidgetBody } from '../../contract/widget'
import { type AlertSide, isBeyond, type Thresholds } from '../../domain/alerts'
import type { WidgetId } from '../../domain/ids'
import { presetThreshold } from '../../domain/threshold-entry'
import type { CommandContext, CommandResult } from '../command'
import { mergeOrAppend } from '../outbox'
import { alertsViewOf, type AlertsView, type WidgetPatch } from '../view'
import { done, runWidgetCommand } from './run-command'

const THRESHOLDS_CHANGED = 'The thresholds have changed since, so nothing was undone.'

/**
 * Changes a widget's alerts by one mutation, so that both sides are sent, refused or undone together.
 * @param patch a function of the alerts as they are stored now, or a value
 * @param expected refused where a threshold is no longer this one
 */
export const updateWidget = (
  context: CommandContext,
  id: WidgetId,
  patch: WidgetPatch | ((alerts: AlertsView) => WidgetPatch),
  expected?: Thresholds,
): Promise<CommandResult> =>
  runWidgetCommand(
    context,
    'Authentication context not available. Cannot update widget.',
    id,
    async ({ snapshot, widget, label }) => {
      const alerts = alertsViewOf(widget)
      if (expected && (alerts.high.threshold !== expected.high || alerts.low.threshold !== expected.low)) {
        return { ok: false, message: THRESHOLDS_CHANGED }
      }
      const body = updateBodyOf(typeof patch === 'function' ? patch(alerts) : patch)
      await mergeOrAppend(context, snapshot, { kind: 'widget.update@1', payload: { widget: widget.id, body }, label })
      return done
    },
  )

/**
 * Switches a pair's alerts. Switching them on sets the thresholds that are missing, and disarms one that the ratio is
 * beyond already: it would fire at once.
 * @param ratio the present one; null: not known, so that no threshold can be proposed or compared
 */
export const setAlerts = (
  context: CommandContext,
  id: WidgetId,
  on: boolean,
  ratio: number | null,
): Promise<CommandResult> =>
  updateWidget(context, id, ({ high, low }) =>
    on && ratio !== null
      ? {
          notificationsEnabled: true,
          alerts: { high: readySide('high', high.threshold, ratio), low: readySide('low', low.threshold, ratio) },
        }
      : { notificationsEnabled: on },
  )

const readySide = (side: AlertSide, threshold: number | null, ratio: number) => {
  if (threshold === null) return { threshold: presetThreshold(side, ratio), armed: true }
  return isBeyond(side, ratio, threshold) ? { armed: false } : {}
}

const updateBodyOf = ({ notificationsEnabled, alerts: { high, low } = {} }: WidgetPatch): UpdateWidgetBody => ({
  ...(notificationsEnabled !== undefined && { notifications_enabled: notificationsEnabled }),
  ...(high?.threshold !== undefined && { high_threshold: high.threshold }),
  ...(high?.armed !== undefined && { high_threshold_active: high.armed }),
  ...(low?.threshold !== undefined && { low_threshold: low.threshold }),
  ...(low?.armed !== undefined && { low_threshold_active: low.armed }),
})
