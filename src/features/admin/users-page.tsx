import { UserRoundSearch, Users, Search, ShieldCheck, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearch, Link } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import type { AdminUser } from '../../contract/admin'
import { ADMIN_PAGE_SIZE } from '../../domain/account'
import { COUNTED_TO } from '../../domain/counted-to'
import { formatShortDateTime, formatShortDay } from '../../domain/local-time'
import { useAnswer } from '../../state/calls'
import { Badge, TierBadge } from '../../ui/badge'
import { Button, IconButton } from '../../ui/button'
import { TextInput } from '../../ui/field'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { AdminPage, listAddress, pageOf, USERS, type FromList, userAddress } from './admin-page'
import { Message } from './answer-states'
import { PagedList } from './paged-list'
import styles from './users-page.module.css'

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
        countedTo={search === '' ? COUNTED_TO.all : COUNTED_TO.found}
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

interface UserListProps {
  readonly users: readonly AdminUser[]
  /** Milliseconds. */
  readonly now: number
  /** The address of this list, to come back to. */
  readonly here: string
}

/** Accounts, one a row that leads to it; a table where there is room for one. */
const UserList = ({ users, now, here }: UserListProps) => (
  <>
    <Captions />
    <ul aria-label="Users">
      {users.map((user) => (
        <li key={user.id} className={styles.row}>
          <p className={styles.who}>
            <Link href={userAddress(user.id)} state={{ from: here } satisfies FromList} className={styles.email ?? ''}>
              {user.email}
            </Link>
            <UserFlags user={user} />
          </p>
          <p className={styles.tier}>
            <TierBadge premium={user.has_premium_access} />
          </p>
          <p className={styles.login}>
            <span className={styles.label}>Last login </span>
            {user.last_login_at === null ? 'never' : formatShortDateTime(Date.parse(user.last_login_at), now)}
          </p>
          <p className={styles.joined}>
            <span className={styles.label}>Joined </span>
            {formatShortDay(Date.parse(user.created_at))}
          </p>
        </li>
      ))}
    </ul>
  </>
)

/** Headings of the columns; where there is no room for them, each row has labels of its own. */
const Captions = () => (
  <div aria-hidden="true" className={styles.captions}>
    <span>Account</span>
    <span>Tier</span>
    <span>Last login</span>
    <span>Joined</span>
  </div>
)

/** As large as the list. */
const UserListSkeleton = () => (
  <div aria-busy="true">
    <VisuallyHidden role="status">Loading users</VisuallyHidden>
    <Captions />
    <div aria-hidden="true">
      {Array.from({ length: ADMIN_PAGE_SIZE }, (_, index) => (
        <div key={index} className={styles.row}>
          <Skeleton className={styles.who} width={`${45 + ((index * 17) % 40)}%`} height="1.25rem" />
          <Skeleton className={styles.tier} width="4rem" height="1.25rem" />
          <Skeleton className={styles.login} width="6rem" height="1.25rem" />
          <Skeleton className={styles.joined} width="5rem" height="1.25rem" />
        </div>
      ))}
    </div>
  </div>
)

interface UserSearchProps {
  /** From the address of the page; the field follows it except while the user types. */
  readonly term: string
  /** Puts what was typed into the address. */
  readonly onTerm: (term: string) => void
}

/** No address is longer (RFC 5321, 4.5.3.1.3), and no id. */
const LONGEST_TERM = 254
/** Milliseconds between the last key and the search. */
const SEARCH_DEBOUNCE = 500

/** Searches for accounts half a second after the last key, or at once with Enter. */
function UserSearch({ term, onTerm }: UserSearchProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typing, setTyping] = useState<string | null>(null)
  const typed = typing ?? term

  const submit = () => {
    setTyping(null)
    if (typed !== term) onTerm(typed)
  }
  useEffect(() => {
    if (typing === null) return
    const timer = setTimeout(submit, SEARCH_DEBOUNCE)
    return () => clearTimeout(timer)
    // Only a key restarts the wait: a render for another reason must not.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typing])

  const clear = () => {
    setTyping('')
    field.current?.focus()
  }
  return (
    <form
      role="search"
      className={styles.box}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Search aria-hidden="true" className={styles.icon} />
      <TextInput
        ref={field}
        type="search"
        aria-label="Search users"
        placeholder="Email address or user ID"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={LONGEST_TERM}
        className={styles.field}
        value={typed}
        onChange={({ target }) => setTyping(target.value)}
      />
      {typed !== '' && <IconButton label="Clear search" icon={X} size="sm" className={styles.clear} onClick={clear} />}
    </form>
  )
}

/** Facts about an account that an operator should not miss. */
export const UserFlags = ({ user }: { readonly user: AdminUser }) => (
  <>
    {user.is_superuser && (
      <Badge>
        <ShieldCheck aria-hidden="true" />
        Superuser
      </Badge>
    )}
    {!user.email_verified && <Badge tone="warn">Not verified</Badge>}
    {!user.is_active && <Badge tone="danger">Disabled</Badge>}
    {user.deletion_scheduled_at !== null && <Badge tone="danger">To be deleted</Badge>}
  </>
)
