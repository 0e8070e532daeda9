import { liveQuery } from 'dexie'
import type { createStore } from 'jotai'
import type { LocalDatabase } from '../../db/database'
import { readPushBook } from '../../db/push-book'
import { pushStateAtom } from '../../state/push'
import { currentPush } from '../../sync/push/device'
import { canPush } from './can-push'
import { type PushFacts, pushStateOf } from './push-state'

/**
 * Keeps `pushStateAtom` as long as the page lives: what is stored of push changes with every subscription, here and in
 * other tabs; what the user permits is changed in the browser's settings, away from the page. Returns the function that
 * looks again.
 */
export function followPush(
  store: ReturnType<typeof createStore>,
  db: LocalDatabase,
  needsHomeScreen: () => boolean,
): () => void {
  let off = false
  let turn = 0
  const look = async (): Promise<void> => {
    const mine = (turn += 1)
    const facts: PushFacts = { needsHomeScreen: needsHomeScreen(), off, ...(await browserFacts()) }
    if (mine === turn) store.set(pushStateAtom, pushStateOf(facts))
  }
  const again = () => void look().catch((error: unknown) => reportError(error))

  liveQuery(() => readPushBook(db)).subscribe({
    next(book) {
      off = book.off
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
  // Plain http and old browsers have no permissions to ask about; a page that is looked at again looks itself.
  const permissions = navigator.permissions as Permissions | undefined
  const status = await permissions?.query({ name: 'notifications' })
  status?.addEventListener('change', changed)
}
