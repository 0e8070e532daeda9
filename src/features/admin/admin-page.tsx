import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { accountAtom } from '../../state/account'
import { PasskeyNotice } from '../../ui/form'
import styles from './admin-page.module.css'

export const USERS = '/admin/users'
export const AUDIT_LOG = '/admin/audit-log'

/** A page of a list, counted from 1: of the accounts that `search` finds, or of the actions on the account `user`. */
export interface ListPlace {
  readonly search?: string
  readonly user?: string | null
  readonly page?: number
}

/** The address of a page of a list; defaults are left out. */
export function listAddress(list: string, { search = '', user = null, page = 1 }: ListPlace): string {
  const query = new URLSearchParams()
  if (search !== '') query.set('search', search)
  if (user !== null) query.set('user', user)
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? list : `${list}?${query.toString()}`
}

/** The number of a page from an address; 1 where the address has none, or no number. */
export function pageOf(query: URLSearchParams): number {
  const text = query.get('page') ?? ''
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1
}

export const userAddress = (id: string): string => `${USERS}/${encodeURIComponent(id)}`

/** History state of an account's page that was opened from a list: "All users" leads back there. */
export interface FromList {
  readonly from: string
}

interface AdminPageProps {
  readonly title: ReactNode
  /** Above the heading: the link to the list. */
  readonly back?: ReactNode
  /** Below the heading, one line. */
  readonly lead?: ReactNode
  readonly children: ReactNode
}

const PARTS = [
  { path: USERS, label: 'Users' },
  { path: AUDIT_LOG, label: 'Audit log' },
] as const

/** A screen of the admin area: its heading, and links to the area's parts. */
export function AdminPage({ title, back, lead, children }: AdminPageProps) {
  const [path] = useLocation()
  const account = useAtomValue(accountAtom)
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <nav aria-label="Admin" className={styles.parts}>
          {PARTS.map((part) => (
            <Link
              key={part.path}
              href={part.path}
              className={styles.part ?? ''}
              aria-current={path === part.path ? 'page' : path.startsWith(`${part.path}/`) ? 'true' : undefined}
            >
              {part.label}
            </Link>
          ))}
        </nav>
        <div className={styles.heading}>
          {back}
          <h1>{title}</h1>
          {lead !== undefined && <div className={styles.lead}>{lead}</div>}
        </div>
      </header>
      {account?.user?.has_passkeys === false && <PasskeyNotice />}
      {children}
    </div>
  )
}
