import { vi } from 'vitest'

/** A browser's side of push, as far as a page can see it; everything can be changed while a test runs. */
export interface FakeBrowser {
  permission: NotificationPermission
  /** The user's answer to the permission prompt. */
  answer: NotificationPermission
  /** How often the user was asked. */
  asked: number
  /** The service worker, when there is one. */
  ready: () => Promise<unknown>
  subscription: FakeSubscription | null
  /** The push service's answer. */
  subscribe: (options: PushSubscriptionOptionsInit) => Promise<FakeSubscription>
  /** Notifications that were shown. */
  readonly shown: { readonly title: string; readonly options: NotificationOptions }[]
  /** The permission is changed in the browser's settings. */
  setPermission(permission: NotificationPermission): void
}

type FakeSubscription = ReturnType<typeof fakeSubscription>

/** The bytes of the key `AQID`, as a browser gives them back. */
const keyBytes = (key: string) => Uint8Array.from(atob(key), (char) => char.charCodeAt(0)).buffer

export function fakeSubscription(
  browser: FakeBrowser,
  key: string,
  endpoint = 'https://push.example/one',
  keys: Partial<Record<'p256dh' | 'auth', string>> = { p256dh: 'p', auth: 'a' },
) {
  return {
    endpoint,
    options: { applicationServerKey: keyBytes(key), userVisibleOnly: true },
    toJSON: () => ({ endpoint, expirationTime: null, keys }),
    unsubscribe: vi.fn(async () => {
      browser.subscription = null
      return true
    }),
  }
}

/** Puts one in place of the test environment's own. */
export function fakeBrowser(): FakeBrowser {
  const listeners: (() => void)[] = []
  const browser: FakeBrowser = {
    permission: 'default',
    answer: 'granted',
    asked: 0,
    ready: async () => registration,
    subscription: null,
    subscribe: async ({ applicationServerKey }) => fakeSubscription(browser, applicationServerKey as string),
    shown: [],
    setPermission(permission) {
      browser.permission = permission
      for (const changed of listeners) changed()
    },
  }
  const registration = {
    pushManager: {
      getSubscription: async () => browser.subscription,
      subscribe: async (options: PushSubscriptionOptionsInit) =>
        (browser.subscription = await browser.subscribe(options)),
    },
    showNotification: async (title: string, options: NotificationOptions) =>
      void browser.shown.push({ title, options }),
  }
  vi.stubGlobal('PushManager', {})
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission
    },
    requestPermission: async () => {
      browser.asked += 1
      // A browser that knows the answer does not ask.
      if (browser.permission === 'default') browser.permission = browser.answer
      return browser.permission
    },
  })
  vi.stubGlobal('navigator', {
    serviceWorker: {
      get ready() {
        return browser.ready()
      },
      getRegistration: async () => registration,
    },
    permissions: {
      query: async () => ({ addEventListener: (_type: string, changed: () => void) => listeners.push(changed) }),
    },
  })
  return browser
}
