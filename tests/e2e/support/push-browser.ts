import type { BrowserContext, CDPSession, Page, Route } from 'playwright/test'
import type { PushSubscriptionBody } from '../../../src/contract/alerts'
import { deviceKeys } from '../../support/push-device'
import type { PushChannel, PushService } from '../../support/push-service'
import { installed } from './app'
import { browserCode } from './browser-code'

/** The push side of a Chromium: what its maker's push service would do for it. */
export interface PushBrowser {
  /** The browser's push subscription; null: none. */
  subscription(): PushSubscriptionBody | null
  /** Messages that servers have sent to this browser, decrypted, oldest first. */
  readonly received: readonly string[]
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
  let closed = false
  context.once('close', () => (closed = true))
  const received: string[] = []
  let worker: Promise<(message: string) => Promise<void>> | undefined

  function subscribe(applicationServerKey: string): Subscribed {
    const { keys, decrypt } = deviceKeys()
    const channel = service.channel({
      vapidKey: applicationServerKey,
      onMessage: (body) => {
        const message = decrypt(body)
        received.push(message)
        hand(message).catch((error: unknown) => {
          // On its way while the browser was closed; anything else fails the test.
          if (!closed) throw error
        })
      },
    })
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
    received,
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
