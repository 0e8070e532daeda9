import { UserRoundSearch, Users } from 'lucide-react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { ADMIN_PAGE_SIZE } from '../../domain/account'
import { useAnswer } from '../../state/calls'
import { Button } from '../../ui/button'
import { AdminPage, listAddress, pageOf, USERS } from './admin-page'
import { Message } from './answer-states'
import { PagedList } from './paged-list'
import { UserList, UserListSkeleton, UserSearch } from './user-list'

/** All accounts, newest first, or those that a search finds; the address has the search and the page. */
export function UsersPage() {
  const query = new URLSearchParams(useSearch())
  const term = query.get('search') ?? ''
  const page = pageOf(query)
  const search = term.trim()
  const [asked, again] = useAnswer('adminUsers', {
    ...(search !== '' && { search }),
    skip: (page - 1) * ADMIN_PAGE_SIZE,
  })
  const searchFor = (text: string) => navigate(listAddress(USERS, { search: text }), { replace: true })
  return (
    <AdminPage title="Users">
      <UserSearch term={term} onTerm={searchFor} />
      <PagedList
        label="Accounts"
        failed="Failed to fetch users."
        names={['user', 'users']}
        address={USERS}
        place={{ search: term, page }}
        asked={asked}
        onRetry={again}
        skeleton={<UserListSkeleton />}
        empty={
          search === '' ? (
            <Message icon={Users} title="There is no account yet" role="status" />
          ) : (
            <Message
              icon={UserRoundSearch}
              title={`Nobody matches “${search}”`}
              role="status"
              action={<Button onClick={() => searchFor('')}>Show all users</Button>}
            >
              Part of an email address finds accounts, and so does a whole user ID.
            </Message>
          )
        }
      >
        {(rows, at, here) => <UserList users={rows} now={at} here={here} />}
      </PagedList>
    </AdminPage>
  )
}
