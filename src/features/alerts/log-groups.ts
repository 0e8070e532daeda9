import type { AlertRow } from '../../db/rows'
import { type BoardView, findWidget, type WidgetView } from '../../db/view'
import { type AlertSide, isBeyond } from '../../domain/alerts'
import { presetThreshold } from '../../domain/threshold-entry'
import { armedNow, isWatched, type LocalEpochs } from '../../state/local-epochs'
import { startOfDay } from '../../ui/format-time'

/** Current state of the threshold that fired. */
export type ThresholdState =
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

export function thresholdState(
  { widget_id, side }: Pick<AlertRow, 'widget_id' | 'side'>,
  board: BoardView,
  known: ReadonlyMap<string, LocalEpochs>,
): ThresholdState {
  const widget = findWidget(board, widget_id)
  if (widget === undefined) return { kind: 'gone' }
  if (!isWatched(widget)) return { kind: 'unwatched', widget }
  const { threshold } = widget.alerts[side]
  if (threshold === null) return { kind: 'cleared', widget }
  return { kind: armedNow(known, widget)[side] ? 'armed' : 'disarmed', widget, threshold }
}

/**
 * Threshold at which the user re-arms a side. Beyond the old one it would fire at the next look, so it moves on by as much as
 * a new threshold is proposed at; null: nobody can say, since no threshold can be set near this ratio, or none is known.
 * @param ratio the present one; null: not known
 */
export function rearmAt(side: AlertSide, threshold: number, ratio: number | null): number | null {
  if (ratio === null) return null
  return isBeyond(side, ratio, threshold) ? presetThreshold(side, ratio) : threshold
}

export interface LogEntry {
  readonly row: AlertRow
  /** Current state of the threshold; null for all but the latest alert of a pair's side. */
  readonly fired: ThresholdState | null
}

export interface LogGroup {
  /** Start of a local day, milliseconds; `put-off`: what the user wants to arm again. */
  readonly key: number | 'put-off'
  readonly entries: readonly LogEntry[]
}

/**
 * Alerts by day, as they come; before them those that the user has put off and that are still disarmed.
 * @param rows newest first
 * @param rearmed event ids of those that were armed on this visit: they stay where they are, and the focus with them
 */
export function logGroups(
  rows: readonly AlertRow[],
  firedOf: (row: AlertRow) => ThresholdState,
  rearmed: ReadonlySet<string>,
): LogGroup[] {
  const told = new Set<string>()
  const groups = new Map<LogGroup['key'], LogEntry[]>()
  const putOff: LogEntry[] = []
  for (const row of rows) {
    const subject = `${row.widget_id}:${row.side}`
    const fired = told.has(subject) ? null : firedOf(row)
    told.add(subject)
    if (row.rearm_later && (fired?.kind === 'disarmed' || rearmed.has(row.event_id))) {
      putOff.push({ row, fired })
      continue
    }
    const day = startOfDay(row.at)
    const entries = groups.get(day) ?? []
    entries.push({ row, fired })
    groups.set(day, entries)
  }
  const days = [...groups].map(([key, entries]) => ({ key, entries }))
  return putOff.length === 0 ? days : [{ key: 'put-off', entries: putOff }, ...days]
}

/** The first so many entries of all groups, with the groups that they are in. */
export function firstEntries(groups: readonly LogGroup[], count: number): LogGroup[] {
  let left = count
  return groups.flatMap(({ key, entries }) => {
    const shown = entries.slice(0, Math.max(0, left))
    left -= entries.length
    return shown.length === 0 ? [] : [{ key, entries: shown }]
  })
}
