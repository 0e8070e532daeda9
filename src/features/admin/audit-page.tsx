import { Gift, LogOut, type LucideIcon, ScrollText, ShieldCheck, ShieldOff, Undo2 } from 'lucide-react'
import { Link, useSearch } from 'wouter'
import type { AuditedAction, AuditEntry } from '../../contract/admin'
import { ADMIN_PAGE_SIZE } from '../../domain/account'
import { useAnswer } from '../../state/calls'
import { linkClass } from '../../ui/button'
import { formatClock } from '../../domain/format-time'
import { dayName, startOfDay } from '../../domain/local-time'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { AdminPage, AUDIT_LOG, type FromList, pageOf, userAddress } from './admin-page'
import { Message } from './answer-states'
import styles from './audit-page.module.css'
import { PagedList } from './paged-list'
import { ActionsSkeleton } from './user-skeleton'

/** Actions of operators, newest first; only those on one account where the address names one. */
export function AuditPage() {
  const query = new URLSearchParams(useSearch())
  const user = query.get('user')
  const page = pageOf(query)
  const [asked, again] = useAnswer('auditLog', {
    ...(user !== null && { target: user }),
    skip: (page - 1) * ADMIN_PAGE_SIZE,
  })
  return (
    <AdminPage
      title="Audit log"
      lead={
        user === null ? (
          'What operators did, and to whom.'
        ) : (
          <>
            Only about {(asked.kind === 'known' && asked.value.rows[0]?.target_email) || 'one account'}.{' '}
            <Link href={AUDIT_LOG} className={linkClass ?? ''}>
              Show everything
            </Link>
          </>
        )
      }
    >
      <PagedList
        label="Actions"
        failed="Failed to fetch the audit log."
        names={['action', 'actions']}
        address={AUDIT_LOG}
        place={{ user, page }}
        asked={asked}
        onRetry={again}
        skeleton={<AuditListSkeleton />}
        empty={
          <Message icon={ScrollText} title="Nothing has been done yet" role="status">
            Grants, revocations and appointments are written down here.
          </Message>
        }
      >
        {(rows, at, here) => <AuditList entries={rows} now={at} here={here} />}
      </PagedList>
    </AdminPage>
  )
}

interface AuditListProps {
  /** Newest first. */
  readonly entries: readonly AuditEntry[]
  /** Milliseconds. */
  readonly now: number
  /** The address of this list, to come back to. */
  readonly here: string
}

/** Actions, day by day. */
function AuditList({ entries, now, here }: AuditListProps) {
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

/** The start of each local day in milliseconds, with the day's actions. */
function byDay(entries: readonly AuditEntry[]): [day: number, entries: AuditEntry[]][] {
  const days = new Map<number, AuditEntry[]>()
  for (const entry of entries) {
    const day = startOfDay(Date.parse(entry.at))
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}

/** As large as a day with five actions. */
const AuditListSkeleton = () => (
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

interface AuditRowProps {
  readonly entry: AuditEntry
  /** In words; with the day where no heading names the day. */
  readonly time: string
  /** The address of the list, to come back to; null in a list about one account. */
  readonly here: string | null
}

interface ActionWords {
  readonly icon: LucideIcon
  /** For a list about one account. */
  readonly name: string
  /** Around the address of the account. */
  readonly around: readonly [before: string, after: string]
}

const ACTIONS: Readonly<Record<AuditedAction, ActionWords>> = {
  'grant-premium': { icon: Gift, name: 'Granted premium', around: ['Granted premium to', ''] },
  'revoke-premium': { icon: Undo2, name: 'Revoked premium', around: ['Revoked premium of', ''] },
  'end-sessions': { icon: LogOut, name: 'Ended all sessions', around: ['Ended all sessions of', ''] },
  'appoint-superuser': { icon: ShieldCheck, name: 'Appointed as superuser', around: ['Appointed', 'as superuser'] },
  'dismiss-superuser': { icon: ShieldOff, name: 'Dismissed as superuser', around: ['Dismissed', 'as superuser'] },
}

/** An action of a newer server is called by its own name. */
const wordsOf = (action: string): ActionWords =>
  Object.hasOwn(ACTIONS, action)
    ? ACTIONS[action as AuditedAction]
    : { icon: ScrollText, name: action, around: [`${action}:`, ''] }

export function AuditRow({ entry, time, here }: AuditRowProps) {
  const { icon, name } = wordsOf(entry.action)
  return (
    <li className={styles.row}>
      <RowIcon icon={icon} />
      <p className={styles.what}>{here === null ? name : <ActionOnAccount entry={entry} here={here} />}</p>
      <time className={styles.time} dateTime={entry.at}>
        {time}
      </time>
      <p className={styles.more}>
        {entry.details !== null && `${entry.details} · `}
        <span className={styles.by}>by {actorOf(entry)}</span>
      </p>
    </li>
  )
}

function ActionOnAccount({ entry, here }: { readonly entry: AuditEntry; readonly here: string }) {
  const [before, after] = wordsOf(entry.action).around
  return (
    <>
      {before}{' '}
      {entry.target_id === null ? (
        <strong className={styles.gone}>{entry.target_email}</strong>
      ) : (
        <Link
          href={userAddress(entry.target_id)}
          state={{ from: here } satisfies FromList}
          className={styles.target ?? ''}
        >
          {entry.target_email}
        </Link>
      )}{' '}
      {after}
      {entry.target_id === null && <span className={styles.note}> (account deleted)</span>}
    </>
  )
}

const actorOf = ({ actor_email: actor }: AuditEntry): string => actor ?? 'the configuration or the command line'

/** Icon for the subject of a row; stands in the grid area `icon` of the row. */
export const RowIcon = ({ icon: Icon }: { readonly icon: LucideIcon }) => (
  <Icon aria-hidden="true" className={styles.icon} />
)
