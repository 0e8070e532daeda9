import type { LocalDatabase } from '../src/db/database'
import type { AlertData } from '../src/domain/alert-notification'
import { type Badge, showBadge } from '../src/sync/push/badge'
import { type Gesture, onGesture } from '../src/sync/push/on-click'
import { type Announcer, onPush } from '../src/sync/push/on-push'
import { isAppVisible } from '../src/sync/push/open-app'

interface Surroundings {
  readonly db: LocalDatabase
  readonly registration: ServiceWorkerRegistration
  readonly clients: Clients
  readonly badge: Badge
}

export interface Notifications {
  /** A push has come; undefined: it carries nothing. */
  readonly pushed: (text: string | undefined) => Promise<void>
  readonly handled: (gesture: Gesture, notification: Notification) => Promise<void>
}

/** What a worker does about notifications, each with the badge brought up to date at its end. */
export function notifications({ db, registration, clients, badge }: Surroundings): Notifications {
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
    pushed: (text) => withBadge(onPush(db, announcer, text, Date.now())),
    handled: (gesture, { data }) =>
      withBadge(onGesture({ db, clients, now: () => Date.now() }, gesture, data as AlertData | null)),
  }
}
