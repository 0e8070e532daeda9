import { ScrollText } from 'lucide-react'
import { Link, useSearch } from 'wouter'
import { ADMIN_PAGE_SIZE } from '../../domain/account'
import { useAnswer } from '../../state/calls'
import { linkClass } from '../../ui/link-button'
import { AUDIT_LOG, pageOf } from './addresses'
import { AdminPage } from './admin-page'
import { Message } from './answer-states'
import { AuditList, AuditListSkeleton } from './audit-list'
import { PagedList } from './paged-list'

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
