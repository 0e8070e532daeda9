import { liveQuery } from 'dexie'
import type { LocalDatabase } from '../../db/database'
import { readPushRegistration } from '../../db/push-registration'
import { type EngineClient, installOfferAtom, type Store } from '../../state/services'
import { openDialogAtom } from '../../state/open-dialogs'
import { type PushClient, type PushState, pushStateAtom } from '../../state/push'
import { currentPush } from '../../sync/push/device'
import { canPush, pushClient } from './push-client'

interface PushOptions {
  readonly db: LocalDatabase
  readonly store: Store
  readonly engine: Pick<EngineClient, 'call'>
}

/** Keeps the state of this device's notifications, and returns the client that changes it. */
export function startPush({ db, store, engine }: PushOptions): PushClient {
  const needsHomeScreen = () => !canPush() && store.get(installOfferAtom).kind === 'share-sheet'
  const look = followPush(store, db, needsHomeScreen)
  return pushClient({
    db,
    engine,
    needsHomeScreen,
    explainHomeScreen: () => store.set(openDialogAtom, { kind: 'home-screen' }),
    onChange: look,
  })
}

/**
 * Keeps `pushStateAtom` as long as the page lives: the stored registration changes here and in other tabs, the permission in
 * the browser's settings, away from the page. Returns the function that reads the state again.
 */
export function followPush(store: Store, db: LocalDatabase, needsHomeScreen: () => boolean): () => void {
  let off = false
  let turn = 0
  const look = async (): Promise<void> => {
    const mine = (turn += 1)
    const facts: PushFacts = { needsHomeScreen: needsHomeScreen(), off, ...(await browserFacts()) }
    if (mine === turn) store.set(pushStateAtom, pushStateOf(facts))
  }
  const again = () => void look().catch((error: unknown) => reportError(error))

  liveQuery(() => readPushRegistration(db)).subscribe({
    next(state) {
      off = state.off
      again()
    },
    error: (error) => reportError(error),
  })
  document.addEventListener('visibilitychange', again)
  onPermissionChange(again).catch((error: unknown) => reportError(error))
  return again
}

async function browserFacts(): Promise<Pick<PushFacts, 'supported' | 'permission' | 'subscribed'>> {
  if (!canPush()) return { supported: false, permission: 'default', subscribed: false }
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await currentPush(registration)
  return { supported: true, permission: Notification.permission, subscribed: subscription !== null }
}

async function onPermissionChange(changed: () => void): Promise<void> {
  // Plain http and old browsers have no `permissions`; there a page reads the state when the user returns to it.
  const permissions = navigator.permissions as Permissions | undefined
  const status = await permissions?.query({ name: 'notifications' })
  status?.addEventListener('change', changed)
}

interface PushFacts {
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
