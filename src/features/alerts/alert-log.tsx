import { atom, useAtomValue } from 'jotai'
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { localArmingAtom } from '../../state/local-arming'
import { nowAtom } from '../../state/live-data'
import { shownBoardAtom } from '../../state/wishes'
import { Button } from '../../ui/button'
import { dayName, formatClock, startOfDay } from '../../ui/days'
import { formatMoment } from '../../ui/moment'
import { PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'
import styles from './alert-log.module.css'
import { firedNow } from './fired'
import { firstEntries, type LogGroup, logGroups } from './log-groups'
import { LogNote } from './log-note'
import { type ChartLink, LogRow } from './log-row'
import { useAlertLog } from './use-alert-log'

/** Moves once a day. */
const todayAtom = atom((get) => startOfDay(get(nowAtom)))

/** Rows that are shown at first, and with each further press: a phone takes a moment for a thousand. */
const STEP = 100

/** The owner's crossings of 90 days, as far as this device knows them. */
export function AlertLog({ chartLink }: { readonly chartLink: ChartLink }) {
  const { log, isNew } = useAlertLog()
  const board = useAtomValue(shownBoardAtom)
  const known = useAtomValue(localArmingAtom)
  const today = useAtomValue(todayAtom)
  const [rearmed, setRearmed] = useState<ReadonlySet<string>>(new Set())
  const keep = (eventId: string) => setRearmed((before) => new Set([...before, eventId]))
  const [count, setCount] = useState(STEP)
  /** The row that was the first of those last asked for. */
  const [asked, setAsked] = useState<string | null>(null)

  const all = log && board && logGroups(log.rows, (row) => firedNow(row, board, known), rearmed)
  const groups = all && firstEntries(all, count)
  const hidden = all?.flatMap(({ entries }) => entries).slice(count) ?? []
  const showMore = () => {
    setCount(count + STEP)
    setAsked(hidden[0]?.row.event_id ?? null)
  }
  return (
    <PageCard title="Last 90 days">
      {groups === undefined && <Loading />}
      {groups?.length === 0 && <NothingYet />}
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
          Show {Math.min(STEP, hidden.length)} more
        </Button>
      )}
      {log !== undefined && <LogNote log={log} />}
    </PageCard>
  )
}

const nameOf = ({ key }: LogGroup, today: number): string => (key === 'put-off' ? 'Put off' : dayName(key, today))

const Loading = () => (
  <div className={styles.loading} aria-busy="true" aria-label="Loading alerts">
    <Skeleton height="3.5rem" />
    <Skeleton height="3.5rem" />
    <Skeleton height="3.5rem" />
  </div>
)

const NothingYet = () => (
  <div className={styles.nothing}>
    <Bell aria-hidden="true" />
    <p>
      Nothing has fired yet. Every crossing of a threshold is kept here, with the time at which the ratio came back.
    </p>
  </div>
)
