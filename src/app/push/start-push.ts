import { liveQuery } from 'dexie'
import type { LocalDatabase } from '../../db/database'
import { readPushRegistration } from '../../db/push-registration'
import type { EngineClient, Store } from '../../state/services'
import { openDialogAtom } from '../../state/open-dialogs'
import { type PushClient, pushDeclinedAtom, pushStateAtom } from '../../state/push'
import { currentPush } from '../../sync/push/device'
import { pushClient } from './push-client'
import { canPush, needsHomeScreen, type PushFacts, pushStateOf } from './push-state'

interface PushOptions {
  readonly db: LocalDatabase
  readonly store: Store
  readonly engine: Pick<EngineClient, 'call'>
}

/** Keeps the state of this device's notifications, and returns the client that changes it. */
export function startPush({ db, store, engine }: PushOptions): PushClient {
  const look = followPush(store, db)
  return pushClient({
    db,
    engine,
    needsHomeScreen: () => needsHomeScreen(store),
    explainHomeScreen: () => store.set(openDialogAtom, { kind: 'home-screen' }),
    onChange: look,
  })
}

/**
 * Keeps `pushStateAtom` and `pushDeclinedAtom` as long as the page lives: the stored registration changes here and in other tabs, the permission in
 * the browser's settings, away from the page. Returns the function that reads the state again.
 */
export function followPush(store: Store, db: LocalDatabase): () => void {
  let off = false
  let turn = 0
  const look = async (): Promise<void> => {
    const mine = (turn += 1)
    const facts: PushFacts = { needsHomeScreen: needsHomeScreen(store), off, ...(await browserFacts()) }
    if (mine === turn) store.set(pushStateAtom, pushStateOf(facts))
  }
  const again = () => void look().catch((error: unknown) => reportError(error))

  liveQuery(() => readPushRegistration(db)).subscribe({
    next(state) {
      off = state.off
      store.set(pushDeclinedAtom, off)
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
