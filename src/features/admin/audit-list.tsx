import type { AuditEntry } from '../../contract/admin'
import { dayName, formatClock, startOfDay } from '../../ui/days'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './audit-list.module.css'
import { AuditRow } from './audit-row'
import { ActionsSkeleton } from './user-skeleton'

interface AuditListProps {
  /** Newest first. */
  readonly entries: readonly AuditEntry[]
  /** Milliseconds. */
  readonly now: number
  /** The address of this list, to come back to. */
  readonly here: string
}

/** Actions, day by day. */
export function AuditList({ entries, now, here }: AuditListProps) {
  const today = startOfDay(now)
  return byDay(entries).map(([day, ofDay]) => (
    <section key={day} aria-label={dayName(day, today)} className={styles.day}>
      <h2 className={styles.title}>{dayName(day, today)}</h2>
      <ul>
        {ofDay.map((entry) => (
          <AuditRow key={entry.id} entry={entry} time={formatClock(Date.parse(entry.at))} here={here} />
        ))}
      </ul>
    </section>
  ))
}

/** The start of each local day in milliseconds, with what was done on it. */
function byDay(entries: readonly AuditEntry[]): [day: number, entries: AuditEntry[]][] {
  const days = new Map<number, AuditEntry[]>()
  for (const entry of entries) {
    const day = startOfDay(Date.parse(entry.at))
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}

/** The size of a day with a few actions. */
export const AuditListSkeleton = () => (
  <div aria-busy="true" className={styles.day}>
    <VisuallyHidden role="status">Loading actions</VisuallyHidden>
    <div className={styles.title}>
      <Skeleton width="4rem" height="1rem" />
    </div>
    {[0, 1, 2, 3, 4].map((index) => (
      <div key={index} className={styles.waiting}>
        <ActionsSkeleton />
      </div>
    ))}
  </div>
)
