import type { AlertRow } from '../../db/rows'
import { type BoardView, findWidget, type WidgetView } from '../../db/view'
import { type AlertSide, isBeyond } from '../../domain/alerts'
import { presetThreshold } from '../../domain/threshold-entry'
import { armedNow, type LocalArming } from '../../state/local-arming'
import { isWatched } from '../../state/watched-pairs'

/** What has become of the threshold that fired. */
export type Fired =
  /** It fires at the next crossing. */
  | { readonly kind: 'armed'; readonly widget: WidgetView; readonly threshold: number }
  /** It waits for the ratio to come back, and can be armed before that. */
  | { readonly kind: 'disarmed'; readonly widget: WidgetView; readonly threshold: number }
  /** There is no threshold on this side any more. */
  | { readonly kind: 'cleared'; readonly widget: WidgetView }
  /** The pair's alerts are switched off, or its tier does not let it be watched. */
  | { readonly kind: 'unwatched'; readonly widget: WidgetView }
  /** The pair has been removed. */
  | { readonly kind: 'gone' }

const thresholdOf = (widget: WidgetView, side: AlertSide): number | null =>
  side === 'high' ? widget.highThreshold : widget.lowThreshold

export function firedNow(
  { widget_id, side }: Pick<AlertRow, 'widget_id' | 'side'>,
  board: BoardView,
  known: ReadonlyMap<string, LocalArming>,
): Fired {
  const widget = findWidget(board, widget_id)
  if (widget === undefined) return { kind: 'gone' }
  if (!isWatched(widget)) return { kind: 'unwatched', widget }
  const threshold = thresholdOf(widget, side)
  if (threshold === null) return { kind: 'cleared', widget }
  return { kind: armedNow(known, widget)[side] ? 'armed' : 'disarmed', widget, threshold }
}

/**
 * Where a side is armed again by hand. Beyond its threshold it would fire at the next look, so it moves on by as much as
 * a new threshold is proposed at; null: nobody can say, since no threshold can be set near this ratio, or none is known.
 * @param ratio the present one; null: not known
 */
export function rearmAt(side: AlertSide, threshold: number, ratio: number | null): number | null {
  if (ratio === null) return null
  return isBeyond(side, ratio, threshold) ? presetThreshold(side, ratio) : threshold
}
