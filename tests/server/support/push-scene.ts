import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { pushHosts } from '../../../server/adapters/push/push-hosts'
import { type PushSender, pushSender } from '../../../server/adapters/push/push-sender'
import { alert_events, push_deliveries, push_subscriptions } from '../../../server/db/schema/alerts'
import { deliverAlerts } from '../../../server/services/push/deliver'
import { vapidOf } from '../../../server/services/push/vapid-keys'
import { type PushService, startPushService } from '../../support/push-service'
import { type Browser, browserAt } from './browser'
import { recordCrossing } from './crossings'
import type { Guest } from './guest'
import { testApp, type TestApp } from './test-app'

/* One guest with one pair, browsers at a push service, and what tells them; made anew for each test. */

export let service: PushService
export let server: TestApp
let sender: PushSender
export let me: Guest
export let widget: string

export function setPushScene(): void {
  beforeAll(async () => {
    service = await startPushService()
    server = await testApp({ env: { PUSH_ALLOWED_HOSTS: service.host } })
    // A push service judges by the real time whether an introduction has expired.
    sender = pushSender({ vapid: vapidOf(server.env), hosts: pushHosts([service.host]), clock: Date.now })
  })
  afterAll(async () => {
    sender.close()
    await Promise.all([server.close(), service.stop()])
  })
  beforeEach(async () => {
    me = server.guest()
    widget = (await me.add('bitcoin', 'ethereum')).id
    await me.update(widget, { notifications_enabled: true, high_threshold: 21 })
  })
  afterEach(() => server.reset())
}

export const deps = () => ({ database: server.database, env: server.env, sender, clock: server.clock })
export const deliver = () => deliverAlerts(deps())
export const crossing = (change: Parameters<typeof recordCrossing>[3] = {}) =>
  recordCrossing(server.database, widget, server.clock(), change)
export const deliveries = () => server.rows(push_deliveries)
export const subscriptions = () => server.rows(push_subscriptions)
export const events = () => server.rows(alert_events)

export async function browserOf(owner = me): Promise<Browser> {
  const browser = browserAt(service)
  await browser.subscribe(owner)
  return browser
}
