import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { accountAtom } from '../../state/account'
import { PasskeyNotice } from '../../ui/passkey-notice'
import styles from './admin-page.module.css'
import { AUDIT_LOG, USERS } from './addresses'

interface AdminPageProps {
  readonly title: ReactNode
  /** Above the heading: where it belongs to. */
  readonly back?: ReactNode
  /** Below the heading, one line. */
  readonly lead?: ReactNode
  readonly children: ReactNode
}

const PARTS = [
  { path: USERS, label: 'Users' },
  { path: AUDIT_LOG, label: 'Audit log' },
] as const

/** A screen of the admin area: its heading, and the ways between its parts. */
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
          <h1 className={styles.title}>{title}</h1>
          {lead !== undefined && <div className={styles.lead}>{lead}</div>}
        </div>
      </header>
      {account?.user?.has_passkeys === false && <PasskeyNotice />}
      {children}
    </div>
  )
}
