import { useAtomValue } from 'jotai'
import { pushStateAtom } from '../../state/push'
import { usePushSwitch } from '../../state/use-push-switch'
import { Button } from '../../ui/button'
import { PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'
import { NOTIFICATIONS } from './notifications'
import styles from './notifications-card.module.css'
import { WatchedLine } from './watched-line'

/** Whether this device is told of alerts while the app is closed, and the switch for it. */
export function NotificationsCard() {
  const state = useAtomValue(pushStateAtom)
  const { busy, press } = usePushSwitch()
  const look = state && NOTIFICATIONS[state]
  const action = look?.action ?? null
  return (
    <PageCard title="Notifications on this device">
      <div className={styles.row} data-state={state}>
        <span className={styles.icon}>{look && <look.icon aria-hidden="true" />}</span>
        <div className={styles.text} role="status">
          {look === undefined ? (
            <Skeleton height="3.75rem" />
          ) : (
            <>
              <p className={styles.title}>{look.title}</p>
              <p>{look.text}</p>
              {(state === 'on' || state === 'off') && <WatchedLine />}
            </>
          )}
        </div>
        {action !== null && (
          <Button
            className={styles.action}
            variant={state === 'on' ? 'secondary' : 'primary'}
            aria-disabled={busy}
            onClick={() => void press(action.asks)}
          >
            {busy ? action.doing : action.word}
          </Button>
        )}
      </div>
    </PageCard>
  )
}
