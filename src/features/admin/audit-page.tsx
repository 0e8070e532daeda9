import { ScrollText } from 'lucide-react'
import { Link, Redirect, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { ADMIN_PAGE_SIZE, pageCount } from '../../domain/admin-page'
import { useAnswer } from '../../state/use-answer'
import { linkClass } from '../../ui/link-button'
import { useOnline } from '../../ui/use-online'
import { AdminPage } from './admin-page'
import { AUDIT_LOG, listAddress, pageOf } from './addresses'
import { AuditList, AuditListSkeleton } from './audit-list'
import { Failure } from './failure'
import { ListCard } from './list-card'
import { Message } from './message'
import { OldNews } from './old-news'
import { Pager } from './pager'

const FAILED = 'Failed to fetch the audit log.'

/** Who did what, newest first; about one account alone where the address names it. */
export function AuditPage() {
  const query = new URLSearchParams(useSearch())
  const user = query.get('user')
  const page = pageOf(query)
  const online = useOnline()
  const [asked, again] = useAnswer({ kind: 'audit-log', user, skip: (page - 1) * ADMIN_PAGE_SIZE })

  const turnTo = (to: number) => {
    navigate(listAddress(AUDIT_LOG, { user, page: to }))
    window.scrollTo(0, 0)
  }

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
      {asked.kind === 'known' && <OldNews what={FAILED} failure={asked.failure} at={asked.at} onRetry={again} />}
      <ListCard label="Actions" pending={asked.kind === 'known' && asked.pending}>
        {content()}
      </ListCard>
    </AdminPage>
  )

  function content() {
    if (asked.kind === 'waiting') return <AuditListSkeleton />
    if (asked.kind === 'failed') {
      return <Failure what={FAILED} failure={asked.failure} pending={asked.pending} onRetry={again} />
    }
    const { rows, total } = asked.value
    const last = pageCount(total)
    if (!asked.pending && page > last) return <Redirect to={listAddress(AUDIT_LOG, { user, page: last })} replace />
    if (total === 0) {
      return (
        <Message icon={ScrollText} title="Nothing has been done yet" role="status">
          Grants, revocations and appointments are written down here.
        </Message>
      )
    }
    return (
      <>
        <AuditList entries={rows} now={asked.at} here={listAddress(AUDIT_LOG, { user, page })} />
        <Pager page={page} total={total} names={['action', 'actions']} blocked={!online} onPage={turnTo} />
      </>
    )
  }
}
