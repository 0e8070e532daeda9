import { useLiveQuery } from 'dexie-react-hooks'
import { BellOff } from 'lucide-react'
import { Link } from 'wouter'
import { markAlertsSeen } from '../../db/commands/alerts'
import { readWayAlert } from '../../db/queries/alerts'
import { wayWords } from '../../domain/way-alerts'
import { useServices } from '../../state/services'
import { linkClass, LinkButton } from '../../ui/button'
import { BoardLine } from './board-line'
import styles from './guest-offer.module.css'

/** Names the way that no longer reaches the user, until it does again or the user has read it on this device. */
export function WayLine() {
  const { commands } = useServices()
  const alert = useLiveQuery(() => readWayAlert(commands.db), [commands])
  const text = alert && wayWords(alert)
  if (text === undefined) return null
  return (
    <BoardLine icon={BellOff} text={text} className={styles.line}>
      <Link href="/settings" className={linkClass}>
        Settings
      </Link>
      <LinkButton onClick={() => void markAlertsSeen(commands, [alert!.event_id]).catch(reportError)}>
        Dismiss
      </LinkButton>
    </BoardLine>
  )
}
