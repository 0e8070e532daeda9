import type { LocalDatabase } from '../src/db/database'
import type { AlertData } from '../src/domain/alert-notification'
import { type AppBadge, showBadge } from '../src/sync/push/device'
import { type Announcer, type Gesture, isAppVisible, onGesture, onPush } from '../src/sync/push/notifications'

interface Surroundings {
  readonly db: LocalDatabase
  readonly registration: ServiceWorkerRegistration
  readonly clients: Clients
  readonly badge: AppBadge
}

/** The service worker's handlers of notifications; each updates the badge at its end. */
export function notifications({ db, registration, clients, badge }: Surroundings) {
  const announcer: Announcer = {
    show: ({ title, options }) => registration.showNotification(title, options),
    async close(tags) {
      const shown = await Promise.all(tags.map((tag) => registration.getNotifications({ tag })))
      for (const notification of shown.flat()) notification.close()
    },
  }
  const withBadge = async (work: Promise<void>): Promise<void> => {
    await work
    await showBadge(db, badge, await isAppVisible(clients))
  }
  return {
    /** @param text undefined: the push carries nothing */
    pushed: (text: string | undefined) => withBadge(onPush(db, announcer, text, Date.now())),
    handled: (gesture: Gesture, { data }: Notification) =>
      withBadge(onGesture({ db, clients, now: () => Date.now() }, gesture, data as AlertData | null)),
  }
}
