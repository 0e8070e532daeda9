import { useAtomValue } from 'jotai'
import type { AlertLogView } from '../../db/queries/alerts'
import { nowAtom, syncStateAtom } from '../../state/live-data'
import { formatMoment } from '../../ui/moment'
import { useOnline } from '../../ui/use-online'
import styles from './alert-log.module.css'

/** How complete the list is, and how long its rows stay. */
export function LogNote({ log: { rows, pulledAt, isUser } }: { readonly log: AlertLogView }) {
  const sync = useAtomValue(syncStateAtom)
  const online = useOnline() && sync?.unreachable_since == null
  const now = useAtomValue(nowAtom)
  const trouble = sync?.problems.alerts
  const sentences = [
    trouble !== undefined && `${trouble} What this device knows is listed.`,
    trouble === undefined && isUser && pulledAt === null && (online ? LOADING : OFFLINE),
    !online && pulledAt !== null && `Offline: crossings as of ${formatMoment(pulledAt, now)}.`,
    rows.length > 0 && KEPT,
  ].filter((one) => one !== false)
  return (
    <p className={styles.kept} role="status">
      {sentences.join(' ')}
    </p>
  )
}

const LOADING = 'Loading what your other devices saw…'
const OFFLINE = 'Offline: only what this device saw is listed. The rest comes when the server answers.'
const KEPT = 'Kept for 90 days, and no more than the latest 1,000.'
