import { LocalDatabase } from '../src/db/database'
import { updateWidget } from '../src/db/commands/widgets'
import { readWork } from '../src/db/queries/waiting'
import { browserEnv } from '../src/sync/env'
import { answerPage, createEngine, flushOutbox, pagePort, readRequest } from '../src/sync/engine'
import { OUTBOX_TAG, REFRESH_TAG } from '../src/sync/protocol'
import { withBadge } from '../src/sync/push/badge'
import { confirmShown } from '../src/sync/push/confirm-shown'
import { onNotificationClick, onNotificationClose } from '../src/sync/push/on-notification-click'
import { onPush } from '../src/sync/push/on-push'
import type { AlertNotification } from '../src/domain/alert-notification'
import type { WidgetId } from '../src/domain/ids'
import type { Snooze } from '../src/domain/snooze'
import { serveAppOffline } from './offline'

/** Background Sync and Periodic Background Sync exist in Chromium only, and the standard library does not declare them. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}

interface Events extends ServiceWorkerGlobalScopeEventMap {
  readonly sync: SyncEvent
  readonly periodicsync: SyncEvent
}

interface Scope extends Omit<ServiceWorkerGlobalScope, 'addEventListener' | 'registration'> {
  readonly registration: ServiceWorkerRegistration & { readonly sync?: { register(tag: string): Promise<void> } }
  addEventListener<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): void
}

declare const self: Scope

const db = new LocalDatabase()
const env = browserEnv(db, self.location.origin, self.registration)
const engine = createEngine(env)
const { registration, clients, navigator: badge } = self
const now = () => Date.now()
const snooze = async (widget: WidgetId, change: Snooze) => {
  await updateWidget({ db, now, uuid: () => crypto.randomUUID() }, widget, { snooze: change })
  await engine.sync('command')
  // Without a network: it is sent once there is one. A browser that is not to do so leaves it to the next page.
  await registration.sync?.register(OUTBOX_TAG).catch(() => undefined)
}
const ports = { db, clients, badge, now, snooze }
const show = ({ title, options }: AlertNotification) => registration.showNotification(title, options)

// In `vite dev` there is no manifest, and the page is served by Vite.
const keepApp = import.meta.env.PROD ? serveAppOffline(self.__WB_MANIFEST) : undefined

self.addEventListener('install', (event) => {
  // The first worker controls its page at once, and the page asks for the files (KEEP_ALL). A later one waits for the user
  // anyhow, and needs all files when it takes over. Files that failed are asked for a second time.
  if (keepApp !== undefined && registration.active !== null) event.waitUntil(keepApp().catch(keepApp))
})

// The first worker takes over the page that registered it; a newer one waits until the user agrees.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('message', (event) => {
  // Workbox's word (`type`), which all versions of the page send; so is VERSION.
  if (event.data?.type === 'SKIP_WAITING') return event.waitUntil(self.skipWaiting())
  const port = event.ports[0]
  // The status page shows the worker's version: after an update it may be older than the page's.
  if (event.data?.type === 'VERSION') return port?.postMessage(import.meta.env.VITE_APP_VERSION)
  // Without an answer where a file could not be fetched: the page's next start asks again.
  if (event.data?.type === 'KEEP_ALL' && keepApp !== undefined)
    return event.waitUntil(keepApp().then(() => port?.postMessage('kept')))
  const request = readRequest(event.data)
  if (request === null || port === undefined) return
  event.waitUntil(answerPage(engine, request, pagePort(port)))
})

self.addEventListener('sync', (event) => {
  if (event.tag === OUTBOX_TAG)
    event.waitUntil(flushOutbox(engine, async () => (await readWork(db)).waiting.length === 0))
})

self.addEventListener('periodicsync', (event) => {
  if (event.tag === REFRESH_TAG) event.waitUntil(engine.sync('periodic'))
})

const confirm = (eventIds: readonly string[]) => confirmShown(env, eventIds)
self.addEventListener('push', (event) =>
  event.waitUntil(withBadge(ports, onPush(db, show, event.data?.text(), now(), confirm))),
)

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(withBadge(ports, onNotificationClick(ports, event.action, event.notification.data)))
})

self.addEventListener('notificationclose', (event) =>
  event.waitUntil(withBadge(ports, onNotificationClose(ports, event.notification.data))),
)

// A browser that has lost its push subscription looks for a new one, as at every start.
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(engine.sync('start')))
