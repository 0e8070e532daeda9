import { atom, useAtomValue } from 'jotai'
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { localArmingAtom } from '../../state/local-arming'
import { nowAtom } from '../../state/live-data'
import { shownBoardAtom } from '../../state/wishes'
import { dayName, formatClock, startOfDay } from '../../ui/days'
import { formatMoment } from '../../ui/moment'
import { PageCard } from '../../ui/page'
import styles from './alert-log.module.css'
import { firedNow } from './fired'
import { type LogGroup, logGroups } from './log-groups'
import { type ChartLink, LogRow } from './log-row'
import { useAlertLog } from './use-alert-log'

/** Moves once a day. */
const todayAtom = atom((get) => startOfDay(get(nowAtom)))

/** What has fired, as this device has learned of it. */
export function AlertLog({ chartLink }: { readonly chartLink: ChartLink }) {
  const { rows, isNew } = useAlertLog()
  const board = useAtomValue(shownBoardAtom)
  const known = useAtomValue(localArmingAtom)
  const today = useAtomValue(todayAtom)
  const [rearmed, setRearmed] = useState<ReadonlySet<string>>(new Set())
  const keep = (eventId: string) => setRearmed((before) => new Set([...before, eventId]))
  const groups = rows && board && logGroups(rows, (row) => firedNow(row, board, known), rearmed)
  return (
    <PageCard title="On this device">
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
                chartLink={chartLink}
                onRearm={keep}
              />
            ))}
          </ul>
        </section>
      ))}
      {groups !== undefined && groups.length > 0 && (
        <p className={styles.kept}>Kept for 90 days, and no more than the latest 1,000.</p>
      )}
    </PageCard>
  )
}

const nameOf = ({ key }: LogGroup, today: number): string => (key === 'put-off' ? 'Put off' : dayName(key, today))

const NothingYet = () => (
  <div className={styles.nothing}>
    <Bell aria-hidden="true" />
    <p>Nothing has fired yet. Whatever this device is told of is kept here.</p>
  </div>
)
