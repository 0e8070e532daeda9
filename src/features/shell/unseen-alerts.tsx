import { useLiveQuery } from 'dexie-react-hooks'
import { countUnseenAlerts } from '../../db/queries/alerts'
import { useServices } from '../../state/services'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './unseen-alerts.module.css'

/** Larger counts are shown as "99+". */
const MAX_COUNT = 99

/** Number of alerts that the user has not seen. The count describes the link and is no part of the link's name. */
export function UnseenAlerts({ id }: { readonly id: string }) {
  const { db } = useServices().commands
  const count = useLiveQuery(() => countUnseenAlerts(db), [db]) ?? 0
  if (count === 0) return null
  return (
    <span id={id} aria-hidden="true" className={styles.count} data-badge>
      {count > MAX_COUNT ? `${MAX_COUNT}+` : count}
      <VisuallyHidden> new</VisuallyHidden>
    </span>
  )
}
