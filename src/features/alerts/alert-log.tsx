import { atom, useAtomValue } from 'jotai'
import { Bell } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useLiveQuery } from 'dexie-react-hooks'
import { markAlertsSeen } from '../../db/commands/alerts'
import { type AlertLogView, readAlertLog } from '../../db/queries/alerts'
import type { AlertRow } from '../../db/rows'
import { boardAtom, nowAtom, syncStateAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { Button } from '../../ui/button'
import { ruleOf } from '../../domain/alerts'
import { formatClock } from '../../domain/format-time'
import { dayName, formatMoment, startOfDay } from '../../domain/local-time'
import { PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'
import { useOnline, usePageVisible } from '../../ui/browser-state'
import stack from '../../ui/stack.module.css'
import styles from './alert-log.module.css'
import { LogTools, rowsOfPair } from './log-tools'
import { type ChartAddress, type LogEntry, LogRow, type ThresholdState, thresholdState } from './log-row'

/** Changes once a day. */
const todayAtom = atom((get) => startOfDay(get(nowAtom)))

/** Rows at first, and more with each press: a phone takes a moment for a thousand. */
const PAGE_SIZE = 100

/** The owner's crossings of 90 days, as far as this device knows them. */
export function AlertLog({ chartLink }: { readonly chartLink: ChartAddress }) {
  const { log, isNew } = useAlertLog()
  const board = useAtomValue(boardAtom)
  const today = useAtomValue(todayAtom)
  const [rearmed, setRearmed] = useState<ReadonlySet<string>>(new Set())
  const keep = (eventId: string) => setRearmed((before) => new Set([...before, eventId]))
  const [count, setCount] = useState(PAGE_SIZE)
  /** The first of the rows that the user asked for last. */
  const [asked, setAsked] = useState<string | null>(null)

  const [query, setQuery] = useState('')
  const found = log && rowsOfPair(log.rows, query)
  const all = found && board && logGroups(found, (row) => thresholdState(row, board), rearmed)
  const groups = all && firstEntries(all, count)
  const hidden = all?.flatMap(({ entries }) => entries).slice(count) ?? []
  const showMore = () => {
    setCount(count + PAGE_SIZE)
    setAsked(hidden[0]?.row.event_id ?? null)
  }
  return (
    <PageCard title="Last 90 days">
      {groups === undefined && <Loading />}
      {log !== undefined && log.rows.length > 0 && <LogTools rows={found ?? []} query={query} onQuery={setQuery} />}
      {groups?.length === 0 && (query === '' ? <NothingYet /> : <p role="status">No alert of such a pair.</p>)}
      {groups?.map((group) => (
        <section key={group.key} className={styles.group} aria-label={nameOf(group, today)}>
          <h3 className={styles.day}>{nameOf(group, today)}</h3>
          <ul className={styles.rows}>
            {group.entries.map((entry) => (
              <LogRow
                key={entry.row.event_id}
                {...entry}
                isNew={isNew(entry.row)}
                time={group.key === 'put-off' ? formatMoment(entry.row.at, today) : formatClock(entry.row.at)}
                takesFocus={entry.row.event_id === asked}
                chartLink={chartLink}
                onRearm={keep}
              />
            ))}
          </ul>
        </section>
      ))}
      {hidden.length > 0 && (
        <Button className={styles.more} onClick={showMore}>
          Show {Math.min(PAGE_SIZE, hidden.length)} more
        </Button>
      )}
      {log !== undefined && <LogNote log={log} />}
    </PageCard>
  )
}

const nameOf = ({ key }: LogGroup, today: number): string => (key === 'put-off' ? 'Put off' : dayName(key, today))

const Loading = () => (
  <div className={stack.gap3} aria-busy="true" aria-label="Loading alerts">
    <Skeleton height="3.5rem" />
    <Skeleton height="3.5rem" />
    <Skeleton height="3.5rem" />
  </div>
)

const NothingYet = () => (
  <div className={styles.nothing}>
    <Bell aria-hidden="true" />
    <p>
      Nothing has fired yet. Every crossing of a threshold is kept here, with the time at which the ratio came back, and
      every other alert that you have asked for.
    </p>
  </div>
)

/** How complete the list is, and how long its rows stay. */
function LogNote({ log: { rows, pulledAt, isUser } }: { readonly log: AlertLogView }) {
  const sync = useAtomValue(syncStateAtom)
  const online = useOnline() && sync?.unreachable_since == null
  const now = useAtomValue(nowAtom)
  const trouble = sync?.problems.alerts
  const sentences = [
    trouble !== undefined && `${trouble} What this device knows is listed.`,
    trouble === undefined && isUser && pulledAt === null && (online ? LOADING : OFFLINE),
    !online && pulledAt !== null && `Offline: crossings as of ${formatMoment(pulledAt, now)}.`,
    rows.length > 0 && KEPT,
  ].filter((one) => one !== false)
  return (
    <p className={styles.kept} role="status">
      {sentences.join(' ')}
    </p>
  )
}

const LOADING = 'Loading what your other devices saw…'
const OFFLINE = 'Offline: only what this device saw is listed. The rest comes when the server answers.'
const KEPT = 'Kept for 90 days, and no more than the latest 1,000.'

/** Milliseconds in which most alerts have been shown. */
const FATE_SETTLES_MS = 15_000

/** This device's alert log. Rows on the visible page count as seen, and as new until the user leaves the page. */
function useAlertLog() {
  const { commands, engine } = useServices()
  const visible = usePageVisible()
  const log = useLiveQuery(() => readAlertLog(commands.db), [commands.db])
  const [openedAt] = useState(commands.now)

  const newest = log?.rows[0]?.event_id
  useEffect(() => {
    // The server learns within seconds of what a device has shown; of each alert that comes, too.
    if (!visible || newest === undefined) return
    const ask = () => engine.requestSync('visible')
    ask()
    const timer = setTimeout(ask, FATE_SETTLES_MS)
    return () => clearTimeout(timer)
  }, [engine, visible, newest])

  useEffect(() => {
    const unseen = log?.rows.filter(({ seen_at }) => seen_at === null).map(({ event_id }) => event_id) ?? []
    if (visible && unseen.length > 0) markAlertsSeen(commands, unseen).catch(reportError)
  }, [commands, log, visible])

  const isNew = useCallback(({ seen_at }: AlertRow) => seen_at === null || seen_at >= openedAt, [openedAt])
  return { log, isNew }
}

interface LogGroup {
  /** Start of a local day, milliseconds; `put-off`: what the user wants to arm again. */
  readonly key: number | 'put-off'
  readonly entries: readonly LogEntry[]
}

/**
 * Alerts by day; before them those that the user has put off and that are still disarmed.
 * @param rows newest first
 * @param rearmed event ids of alerts that the user re-armed on this visit: they stay in place, and the focus with them
 */
function logGroups(
  rows: readonly AlertRow[],
  firedOf: (row: AlertRow) => ThresholdState | null,
  rearmed: ReadonlySet<string>,
): LogGroup[] {
  const seen = new Set<string>()
  const groups = new Map<LogGroup['key'], LogEntry[]>()
  const putOff: LogEntry[] = []
  for (const row of rows) {
    const subject = row.kind === undefined ? ruleOf(row.widget_id, row.side) : row.event_id
    const fired = seen.has(subject) ? null : firedOf(row)
    seen.add(subject)
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
function firstEntries(groups: readonly LogGroup[], count: number): LogGroup[] {
  let left = count
  return groups.flatMap(({ key, entries }) => {
    const shown = entries.slice(0, Math.max(0, left))
    left -= entries.length
    return shown.length === 0 ? [] : [{ key, entries: shown }]
  })
}
