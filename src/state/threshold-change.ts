import type { WidgetView } from '../db/view'
import type { AlertSide } from '../domain/alerts'
import { notUpdated, type WidgetChange } from './use-change'

/**
 * One side's threshold and its arming, as one change of a widget.
 * @param value a ratio; null clears it
 */
export const thresholdChange = (
  widget: WidgetView,
  side: AlertSide,
  value: number | null,
  armed: boolean,
): WidgetChange => ({
  change:
    side === 'high'
      ? { highThreshold: value, highThresholdActive: armed }
      : { lowThreshold: value, lowThresholdActive: armed },
  // Fetched when it is first needed: nothing needs it to be drawn.
  command: async (context) =>
    (await import('../db/commands/set-threshold')).setThreshold(context, widget.id, side, value, armed),
  failed: notUpdated(widget),
})
