import type { PushState } from '../../state/push'
import { installOfferAtom, type Store } from '../../state/services'

/**
 * True if this browser has the APIs of push. Asked anew each time: an iPhone has them only in an app that was started from
 * the home screen.
 */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** True if this device must have the app on its home screen first (iPhone, iPad). */
export const needsHomeScreen = (store: Store): boolean =>
  !canPush() && store.get(installOfferAtom).kind === 'share-sheet'

export interface PushFacts {
  /** Service worker, push and notifications, as this browser has them now. */
  readonly supported: boolean
  readonly needsHomeScreen: boolean
  readonly permission: NotificationPermission
  readonly subscribed: boolean
  /** The user has switched push off on this device. */
  readonly off: boolean
}

export function pushStateOf({ supported, needsHomeScreen, permission, subscribed, off }: PushFacts): PushState {
  if (needsHomeScreen) return 'needs-home-screen'
  if (!supported) return 'unsupported'
  if (permission === 'denied') return 'blocked'
  return permission === 'granted' && subscribed && !off ? 'on' : 'off'
}

/** The state before the browser's subscription is looked up, which takes a moment; undefined where that decides it. */
export function pushStateAtOnce(store: Store, off: boolean): PushState | undefined {
  const supported = canPush()
  const permission = supported ? Notification.permission : 'default'
  const [state, other] = [true, false].map((subscribed) =>
    pushStateOf({ supported, needsHomeScreen: needsHomeScreen(store), permission, subscribed, off }),
  )
  return state === other ? state : undefined
}
