import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import { BellOff } from 'lucide-react'
import { readPushRegistration } from '../../db/push-registration'
import { pushStateAtom } from '../../state/push'
import { usePushSwitch } from '../../state/use-push-switch'
import { useServices } from '../../state/services'
import { watchedPairsAtom } from '../../state/watched-pairs'
import { LinkButton } from '../../ui/button'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { BoardLine } from './board-line'
import styles from './device-line.module.css'

/**
 * Alerts belong to a person, push to a device: where some are on and this device could be told of them but is not, that
 * is said, until the user has answered either way.
 */
export function DeviceLine() {
  const { db } = useServices().commands
  const state = useAtomValue(pushStateAtom)
  const watched = useAtomValue(watchedPairsAtom) ?? 0
  const declined = useLiveQuery(() => readPushRegistration(db).then(({ off }) => off), [db]) ?? true
  const { busy, press } = usePushSwitch()
  const askable = state === 'off' || state === 'needs-home-screen'
  if (!askable || watched === 0 || declined) return null
  return (
    <BoardLine icon={BellOff} text="Notifications are off here" className={styles.line}>
      <LinkButton aria-disabled={busy} onClick={() => void press('enable')}>
        Enable<VisuallyHidden> on this device</VisuallyHidden>
      </LinkButton>
      <LinkButton className={styles.decline} aria-disabled={busy} onClick={() => void press('disable')}>
        Not here
      </LinkButton>
    </BoardLine>
  )
}
