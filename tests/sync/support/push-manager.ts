import { randomUUID } from 'node:crypto'
import type { AlertData } from '../../../src/domain/alert-notification'
import { deviceKeys } from '../../support/push-device'

/** The browser's side of push (W3C Push API) without a push service behind it. */
export interface FakePush {
  readonly registration: ServiceWorkerRegistration
  /** Shows a notification that carries this. */
  readonly notify: (data: AlertData | null) => void
  /** Names of the alerts whose notifications are shown now; null: one that told nothing. */
  readonly shown: () => readonly (string | null)[]
  /** Notifications that the service worker has shown, in their order. */
  readonly notified: readonly { readonly tag: string; readonly silent: boolean }[]
  /** The endpoint that reaches the browser now; null: none does. */
  readonly endpoint: () => string | null
  /** The push service, or the user in the browser's settings, ends it without a word to the app. */
  readonly lose: () => void
  /** From now on the browser does so when it is asked to subscribe. */
  readonly answer: (how: 'subscribes' | 'refuses' | 'hangs') => void
}

export function fakePush(): FakePush {
  let present: PushSubscription | null = null
  let how = 'subscribes'
  const made = (applicationServerKey: ArrayBuffer): PushSubscription => {
    const endpoint = `https://fcm.googleapis.com/fcm/send/${randomUUID()}`
    const { keys } = deviceKeys()
    const subscription = {
      endpoint,
      expirationTime: null,
      options: { applicationServerKey, userVisibleOnly: true },
      toJSON: () => ({ endpoint, expirationTime: null, keys: { ...keys } }),
      async unsubscribe() {
        present = null
        return true
      },
    }
    return subscription as unknown as PushSubscription
  }
  const shown = new Set<Notification>()
  const getNotifications = async () => [...shown]
  const notified: { tag: string; silent: boolean }[] = []
  const showNotification = async (_title: string, { tag = '', silent }: NotificationOptions) => {
    notified.push({ tag, silent: silent === true })
  }
  const pushManager = {
    getSubscription: async () => present,
    async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
      if (present !== null) throw new Error('There is a subscription to another key.')
      if (how === 'hangs') return new Promise<never>(() => undefined)
      if (how === 'refuses') throw new Error('Registration failed.')
      const key = Uint8Array.from(Buffer.from(applicationServerKey, 'base64url'))
      return (present = made(key.buffer))
    },
  }
  return {
    registration: { pushManager, getNotifications, showNotification } as unknown as ServiceWorkerRegistration,
    notify(data) {
      const notification = { data, close: () => void shown.delete(notification) } as unknown as Notification
      shown.add(notification)
    },
    notified,
    shown: () => [...shown].map(({ data }) => (data as AlertData | null)?.event_id ?? null),
    endpoint: () => present?.endpoint ?? null,
    lose: () => {
      present = null
    },
    answer: (next) => {
      how = next
    },
  }
}
