import type { BrowserContext, CDPSession, Page, Route } from 'playwright/test'
import type { AlertMessage, PushSubscriptionBody } from '../../../src/contract/alerts'
import { deviceKeys } from '../../support/push-device'
import type { PushChannel, PushService } from '../../support/push-service'
import { installed } from './app'
import { browserCode } from './browser-code'

/** The outcome of `subscribe` in this browser: name and message of the DOMException; `hang`: it never ends. */
type Subscribing = 'work' | 'hang' | { readonly name: string; readonly message: string }

/** The push side of a Chromium: what its maker's push service would do for it. */
export interface PushBrowser {
  /** The browser's push subscription; null: none. */
  subscription(): PushSubscriptionBody | null
  /** Every endpoint that it ever had, oldest first. */
  readonly channels: readonly PushChannel[]
  /** Messages that servers have sent to this browser, decrypted, oldest first. */
  readonly received: readonly string[]
  /** From now on `subscribe` does this. */
  subscribing(how: Subscribing): void
  /** While cut off, messages wait. */
  cutOff(): void
  /** Hands over what waits, and from now on whatever comes. */
  connect(): Promise<void>
  /** Hands a message to the app's service worker, as if its push service had brought it. */
  deliver(message: AlertMessage | string): Promise<void>
}

interface Subscribed {
  readonly body: PushSubscriptionBody
  readonly applicationServerKey: string
  readonly channel: PushChannel
}

/**
 * Gives a browser a push service (see in-browser/push-manager.ts); to be called before the app is opened. Messages take
 * the browser's own way into the service worker, by its debugging protocol.
 */
export async function pushBrowser(context: BrowserContext, page: Page, service: PushService): Promise<PushBrowser> {
  const code = await browserCode('push-manager')
  let subscribed: Subscribed | null = null
  let how: Subscribing = 'work'
  let connected = true
  let closed = false
  context.once('close', () => (closed = true))
  const waiting: string[] = []
  const received: string[] = []
  const channels: PushChannel[] = []
  let worker: Promise<(message: string) => Promise<void>> | undefined

  function subscribe(applicationServerKey: string): Subscribed {
    const { keys, decrypt } = deviceKeys()
    const channel = service.channel({
      vapidKey: applicationServerKey,
      onMessage: (body) => {
        const message = decrypt(body)
        received.push(message)
        if (!connected) waiting.push(message)
        else {
          hand(message).catch((error: unknown) => {
            // On its way while the browser was closed; anything else fails the test.
            if (!closed) throw error
          })
        }
      },
    })
    channels.push(channel)
    return { body: { endpoint: channel.endpoint, expirationTime: null, keys }, applicationServerKey, channel }
  }

  async function hand(message: string): Promise<void> {
    worker ??= workerOf(context, page)
    await (
      await worker
    )(message)
  }

  async function answer(route: Route): Promise<void> {
    const request = route.request()
    const before = subscribed
    if (request.method() === 'POST') {
      if (how === 'hang') return
      if (how !== 'work') return route.fulfill({ json: how })
      const key = request.postData() ?? ''
      if (subscribed !== null && subscribed.applicationServerKey !== key) {
        return route.fulfill({ json: { name: 'InvalidStateError', message: 'There is another applicationServerKey.' } })
      }
      subscribed ??= subscribe(key)
    } else if (request.method() === 'DELETE') {
      subscribed?.channel.forget()
      subscribed = null
    }
    const known = request.method() === 'DELETE' ? before : subscribed
    await route.fulfill({
      json: { known: known === null ? null : { ...known.body, applicationServerKey: known.applicationServerKey } },
    })
  }

  await context.addInitScript({ content: `if (globalThis.PushManager !== undefined) {${code}}` })
  await context.route('**/the-browsers-own-push', answer)
  await context.route('**/sw.js', async (route) => {
    const script = await route.fetch()
    await route.fulfill({ response: script, body: `${code};${await script.text()}` })
  })

  return {
    subscription: () => subscribed?.body ?? null,
    channels,
    received,
    subscribing(next) {
      how = next
    },
    cutOff() {
      connected = false
    },
    async connect() {
      connected = true
      for (const message of waiting.splice(0)) await hand(message)
    },
    deliver: (message) => hand(typeof message === 'string' ? message : JSON.stringify(message)),
  }
}

/** How a push message gets into the service worker of the app that `page` shows. */
async function workerOf(context: BrowserContext, page: Page): Promise<(message: string) => Promise<void>> {
  await installed(page)
  const origin = new URL(page.url()).origin
  const protocol = await context.newCDPSession(page)
  const registrationId = await registrationOf(protocol, origin)
  return (data) =>
    protocol.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data }).then(() => undefined)
}

function registrationOf(protocol: CDPSession, origin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    protocol.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const here = registrations.find(({ scopeURL, isDeleted }) => !isDeleted && new URL(scopeURL).origin === origin)
      if (here !== undefined) resolve(here.registrationId)
    })
    protocol.send('ServiceWorker.enable').catch(reject)
  })
}
