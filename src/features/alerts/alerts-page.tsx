import { useAtomValue } from 'jotai'
import { BellOff, BellRing, History, type LucideIcon, Smartphone } from 'lucide-react'
import { Link } from 'wouter'
import { useAlertFeature } from '../../state/server-settings'
import { watchedPairsAtom } from '../../state/watched-pairs'
import { PUSH_BLOCKED, PUSH_UNSUPPORTED, type PushClient, type PushState, pushStateAtom } from '../../state/push'
import { useExtremes } from '../../state/use-extremes'
import { usePushSwitch } from '../../state/use-push-switch'
import { Button, linkClass } from '../../ui/button'
import { Page, PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'
import checkBox from '../../ui/check-box.module.css'
import text from '../../ui/text.module.css'
import { AlertLog } from './alert-log'
import styles from './alerts-page.module.css'
import type { ChartAddress } from './log-row'
import { MarginCard } from './margin-card'

/** Whether this device gets alerts while the app is closed, and the switch for that. */
function NotificationsCard() {
  const state = useAtomValue(pushStateAtom)
  const { busy, press } = usePushSwitch()
  const look = state && NOTIFICATIONS[state]
  const action = look?.action ?? null
  const hasQuietHours = useAlertFeature('quiet')
  return (
    <PageCard title="Notifications on this device">
      <div className={styles.row} data-state={state}>
        <span className={styles.notificationsCardIcon}>{look && <look.icon aria-hidden="true" />}</span>
        <div className={styles.notificationsCardText} role="status">
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
      {hasQuietHours && (
        <p className={`${text.prose} ${styles.elsewhere}`}>
          When and how else you are told:{' '}
          <Link href="/settings" className={linkClass}>
            quiet hours and other ways
          </Link>
        </p>
      )}
    </PageCard>
  )
}

/** One switch for all pairs, with no number to choose. */
function ExtremesCard() {
  const { own, switchTo } = useExtremes()
  if (own === undefined) return null
  return (
    <PageCard title="Extremes">
      <label className={styles.choice}>
        <input
          type="checkbox"
          role="switch"
          aria-checked={own.extremes}
          className={checkBox.box}
          aria-describedby="extremes-explained"
          checked={own.extremes}
          onChange={(event) => switchTo(event.currentTarget.checked)}
        />
        Tell me when any pair is at an extreme
      </label>
      <p id="extremes-explained" className={text.prose}>
        As its card says it: in the highest or lowest twentieth of its last 90 days. At most once a day for each pair
        and side, for all your active pairs, whatever their thresholds.
      </p>
    </PageCard>
  )
}

interface Look {
  readonly icon: LucideIcon
  readonly title: string
  /** Explanation, and the user's next step. */
  readonly text: string
  /** Null: the app can change nothing. `doing`: the button's text while it waits. */
  readonly action: { readonly asks: keyof PushClient; readonly word: string; readonly doing: string } | null
}

/** Texts of the card about this device's notifications. */
const NOTIFICATIONS: Readonly<Record<PushState, Look>> = {
  on: {
    icon: BellRing,
    title: 'On',
    text: 'This device is told when a ratio crosses a threshold, also while the app is closed.',
    action: { asks: 'disable', word: 'Disable', doing: 'Disabling…' },
  },
  off: {
    icon: BellOff,
    title: 'Off',
    text: 'Be told when a ratio crosses a threshold, also while the app is closed.',
    action: { asks: 'enable', word: 'Enable on this device', doing: 'Enabling…' },
  },
  blocked: {
    icon: BellOff,
    title: 'Blocked',
    text: `${PUSH_BLOCKED} Look behind the icon beside the address; for an installed app, in the device’s own settings.`,
    action: null,
  },
  unsupported: {
    icon: BellOff,
    title: 'Not available',
    text: `${PUSH_UNSUPPORTED} While the app is before you, crossings are shown all the same.`,
    action: null,
  },
  'needs-home-screen': {
    icon: Smartphone,
    title: 'Not yet',
    text: 'On iPhone and iPad, only an app on the home screen can be told of crossings while it is closed.',
    // Enabling explains how to install the app.
    action: { asks: 'enable', word: 'Show how', doing: 'Show how' },
  },
}

/** How many pairs have alerts on; nothing while the number is not known. */
function WatchedLine() {
  const watched = useAtomValue(watchedPairsAtom)
  if (watched === undefined) return null
  return <p>{watched === 0 ? NONE : `${watched === 1 ? '1 pair has' : `${watched} pairs have`} alerts switched on.`}</p>
}

const NONE = 'No pair has alerts switched on yet: use the switch on its card.'

/** The crossings between the specification's heading and its "COMING SOON", which names the only part still missing. */
export const AlertsPage = ({ chartLink }: { readonly chartLink: ChartAddress }) => (
  <Page title="Alerts History">
    <NotificationsCard />
    <ExtremesCard />
    <MarginCard />
    <AlertLog chartLink={chartLink} />
    <FullHistory />
  </Page>
)

/** The specification's placeholder, for the crossings that the list above does not reach. */
const FullHistory = () => (
  <div className={styles.place}>
    <History aria-hidden="true" className={styles.icon} />
    <div>
      <p className={styles.soon}>COMING SOON</p>
      <p className={text.prose}>
        Crossings of more than 90 days ago. The server keeps them for 400 days: Download my data in Settings has them
        all.
      </p>
    </div>
  </div>
)
