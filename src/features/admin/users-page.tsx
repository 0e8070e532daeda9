import { UserRoundSearch, Users } from 'lucide-react'
import { Redirect, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { ADMIN_PAGE_SIZE, pageCount } from '../../domain/admin-page'
import { useAnswer } from '../../state/use-answer'
import { Button } from '../../ui/button'
import { useOnline } from '../../ui/use-online'
import { AdminPage } from './admin-page'
import { listAddress, pageOf, USERS } from './addresses'
import { Failure } from './failure'
import { ListCard } from './list-card'
import { Message } from './message'
import { OldNews } from './old-news'
import { Pager } from './pager'
import { UserList, UserListSkeleton } from './user-list'
import { UserSearch } from './user-search'

const FAILED = 'Failed to fetch users.'

/** All accounts, newest first, or those that a search finds; the address says which, and which page of them. */
export function UsersPage() {
  const query = new URLSearchParams(useSearch())
  const term = query.get('search') ?? ''
  const page = pageOf(query)
  const search = term.trim()
  const online = useOnline()
  const [asked, again] = useAnswer({ kind: 'admin-users', search, skip: (page - 1) * ADMIN_PAGE_SIZE })

  const look = (text: string) => navigate(listAddress(USERS, { search: text }), { replace: true })
  const turnTo = (to: number) => {
    navigate(listAddress(USERS, { search: term, page: to }))
    window.scrollTo(0, 0)
  }

  return (
    <AdminPage title="Users">
      <UserSearch term={term} onTerm={look} />
      {asked.kind === 'known' && <OldNews what={FAILED} failure={asked.failure} at={asked.at} onRetry={again} />}
      <ListCard label="Accounts" pending={asked.kind === 'known' && asked.pending}>
        {content()}
      </ListCard>
    </AdminPage>
  )

  function content() {
    if (asked.kind === 'waiting') return <UserListSkeleton />
    if (asked.kind === 'failed') {
      return <Failure what={FAILED} failure={asked.failure} pending={asked.pending} onRetry={again} />
    }
    const { rows, total } = asked.value
    const last = pageCount(total)
    if (!asked.pending && page > last) return <Redirect to={listAddress(USERS, { search: term, page: last })} replace />
    if (total === 0) {
      return search === '' ? (
        <Message icon={Users} title="There is no account yet" role="status" />
      ) : (
        <Message
          icon={UserRoundSearch}
          title={`Nobody matches “${search}”`}
          role="status"
          action={<Button onClick={() => look('')}>Show all users</Button>}
        >
          Part of an email address finds accounts, and so does a whole user ID.
        </Message>
      )
    }
    return (
      <>
        <UserList users={rows} now={asked.at} here={listAddress(USERS, { search: term, page })} />
        <Pager page={page} total={total} names={['user', 'users']} blocked={!online} onPage={turnTo} />
      </>
    )
  }
}
