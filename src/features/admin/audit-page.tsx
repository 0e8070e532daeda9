import { Gift, type LucideIcon, ScrollText, ShieldCheck, ShieldOff, Undo2 } from 'lucide-react'
import { Link, useSearch } from 'wouter'
import { ADMIN_PAGE_SIZE } from '../../domain/account'
import { sentenceOf, useAnswer } from '../../state/calls'
import { linkClass } from '../../ui/button'
import { AdminPage, AUDIT_LOG, type FromList, pageOf, userAddress } from './admin-page'
import { Message } from './answer-states'
import { PagedList } from './paged-list'
import type { AuditEntry } from '../../contract/admin'
import type { CallFailure } from '../../db/call'
import { dayName, formatClock, startOfDay } from '../../ui/format-time'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './audit-page.module.css'
import { ActionsSkeleton } from './user-skeleton'

/** Actions of operators, newest first; about one account alone where the address names it. */
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
  /** When, in words; the day too where no heading above tells it. */
  readonly time: string
  /** The address of the list, to come back to; null where all of it is about one account anyway. */
  readonly here: string | null
}

const ICONS: Readonly<Record<AuditEntry['action'], LucideIcon>> = {
  'grant-premium': Gift,
  'revoke-premium': Undo2,
  'appoint-superuser': ShieldCheck,
  'dismiss-superuser': ShieldOff,
}

/** One thing that an operator did. */
export function AuditRow({ entry, time, here }: AuditRowProps) {
  const Icon = ICONS[entry.action]
  return (
    <li className={styles.row}>
      <RowIcon icon={Icon} />
      <p className={styles.what}>{here === null ? ACTION_NAMES[entry.action] : <What entry={entry} here={here} />}</p>
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

function What({ entry, here }: { readonly entry: AuditEntry; readonly here: string }) {
  const [before, after] = ACTION_WORDS[entry.action]
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

type Action = AuditEntry['action']

/** Words of an audit entry, before and after the name of the account that it concerns. */
const ACTION_WORDS: Readonly<Record<Action, readonly [before: string, after: string]>> = {
  'grant-premium': ['Granted premium to', ''],
  'revoke-premium': ['Revoked premium of', ''],
  'appoint-superuser': ['Appointed', 'as superuser'],
  'dismiss-superuser': ['Dismissed', 'as superuser'],
}

/** The same where it is plain whom it was done to. */
const ACTION_NAMES: Readonly<Record<Action, string>> = {
  'grant-premium': 'Granted premium',
  'revoke-premium': 'Revoked premium',
  'appoint-superuser': 'Appointed as superuser',
  'dismiss-superuser': 'Dismissed as superuser',
}

const actorOf = ({ actor_email: actor }: AuditEntry): string => actor ?? 'the configuration or the command line'

const UNCERTAIN = 'Nothing answered, so it may have been done all the same. Look again before you repeat it.'

/** Sentence about an action that failed; `failed` is the specification's sentence. */
export const refusalOf = (failed: string, failure: CallFailure): string =>
  `${failed} ${sentenceOf(failure, '', UNCERTAIN)}`.trim()

/** Icon for the subject of a row; stands in the grid area `icon` of the row. */
export const RowIcon = ({ icon: Icon }: { readonly icon: LucideIcon }) => (
  <Icon aria-hidden="true" className={styles.icon} />
)
