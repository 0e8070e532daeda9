import type { PushState } from '../../state/push'

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
