import { Gift, type LucideIcon, ShieldCheck, ShieldOff, Undo2 } from 'lucide-react'
import { Link } from 'wouter'
import type { AuditEntry } from '../../contract/admin'
import { type FromList, userAddress } from './addresses'
import styles from './audit-row.module.css'
import { ACTION_NAMES, ACTION_WORDS, actorOf } from './audit-words'
import { RowIcon } from './row-icon'

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
