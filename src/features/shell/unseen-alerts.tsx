import { useLiveQuery } from 'dexie-react-hooks'
import { countUnseenAlerts } from '../../db/queries/alerts'
import { useServices } from '../../state/services'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './unseen-alerts.module.css'

/** More are not counted. */
const MOST = 99

/** How many alerts nobody has looked at. The link is named without it and described by it. */
export function UnseenAlerts({ id }: { readonly id: string }) {
  const { db } = useServices().commands
  const count = useLiveQuery(() => countUnseenAlerts(db), [db]) ?? 0
  if (count === 0) return null
  return (
    <span id={id} aria-hidden="true" className={styles.count} data-badge>
      {count > MOST ? `${MOST}+` : count}
      <VisuallyHidden> new</VisuallyHidden>
    </span>
  )
}
