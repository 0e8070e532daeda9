import { Link } from 'wouter'
import type { AdminProfile, AuditEntry } from '../../contract/admin'
import type { Page } from '../../db/question'
import type { Asked } from '../../state/use-answer'
import { linkClass } from '../../ui/link-button'
import { formatShortDateTime } from '../../ui/moment'
import { PageCard } from '../../ui/page'
import styles from './actions-card.module.css'
import { AUDIT_LOG, listAddress } from './addresses'
import { AuditRow } from './audit-row'
import { Failure } from './failure'
import { ActionsSkeleton } from './user-skeleton'

interface ActionsCardProps {
  readonly user: AdminProfile
  readonly asked: Asked<Page<AuditEntry>>
  readonly onRetry: () => void
}

/** Rows that are shown here; the log has the rest. */
const LATEST = 5

/** What operators did about an account of late. */
export const ActionsCard = (props: ActionsCardProps) => (
  <PageCard title="Actions">
    <Content {...props} />
  </PageCard>
)

function Content({ user, asked, onRetry }: ActionsCardProps) {
  switch (asked.kind) {
    case 'waiting':
      return <ActionsSkeleton />
    case 'failed':
      return (
        <Failure what="Failed to fetch actions." failure={asked.failure} pending={asked.pending} onRetry={onRetry} />
      )
    case 'known': {
      const { rows, total } = asked.value
      if (total === 0) return <p className={styles.none}>No operator has done anything about this account.</p>
      return (
        <>
          <ul>
            {rows.slice(0, LATEST).map((entry) => (
              <AuditRow
                key={entry.id}
                entry={entry}
                time={formatShortDateTime(Date.parse(entry.at), asked.at)}
                here={null}
              />
            ))}
          </ul>
          {total > LATEST && (
            <Link href={listAddress(AUDIT_LOG, { user: user.id })} className={`${linkClass} ${styles.all}`}>
              All {total} actions
            </Link>
          )}
        </>
      )
    }
  }
}
