import type { AlertRow } from '../../db/rows'
import { startOfDay } from '../../ui/days'
import type { Fired } from './fired'

export interface LogEntry {
  readonly row: AlertRow
  /** What has become of the threshold; null for all but the last alert of a pair's side, which older ones do not tell. */
  readonly fired: Fired | null
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
  firedOf: (row: AlertRow) => Fired,
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
