import type { Page } from 'playwright/test'
import { untilToast } from './support/app'
import { described, onServer, openPair, PAIR } from './support/board'
import { livePrices } from './support/live-prices'
import { alertSwitch, setThreshold } from './support/threshold'
import { registeredPush } from './support/push-registration'
import { readTable, waitingChanges } from './support/truth'
import { expect, test } from './support/test'

const registeredEndpoint = async (page: Page) => (await registeredPush(page))?.endpoint ?? null

test.use({ firstVisit: true })

test(
  'the alert switch registers the browser for push, fills in missing thresholds and disarms crossed ones',
  { tag: '@full' },
  async ({ page, context, server, push }) => {
    const ratio = await openPair(page)
    await setThreshold(page, PAIR, 'Low', String(ratio * 3))
    await expect(alertSwitch(page, PAIR)).not.toBeChecked()
    const other = await context.newPage()
    await other.goto('/')
    await page.bringToFront()

    await alertSwitch(page, PAIR).click()
    await expect(alertSwitch(page, PAIR)).toBeChecked()
    await described(page, 'High', /(?<!dis)armed/)
    await described(page, 'Low', /disarmed/)
    await expect(alertSwitch(other, PAIR)).toBeChecked()
    await expect.poll(async () => (await onServer(page, server.origin))?.notifications_enabled).toBe(true)
    const widget = await onServer(page, server.origin)
    expect((widget?.high_threshold ?? 0) / ratio).toBeCloseTo(1.05, 2)
    expect(widget).toMatchObject({ high_threshold_active: true, low_threshold_active: false })
    await expect.poll(() => registeredEndpoint(page)).not.toBeNull()
    const endpoint = await registeredEndpoint(page)
    expect(endpoint).toBe(push.subscription()?.endpoint)

    await page.reload()
    await expect(alertSwitch(page, PAIR)).toBeChecked()
    await alertSwitch(page, PAIR).click()
    await expect(alertSwitch(other, PAIR)).not.toBeChecked()
    await expect.poll(async () => (await onServer(page, server.origin))?.notifications_enabled).toBe(false)
    expect(push.subscription()?.endpoint, 'the device is still reached for other pairs').toBe(endpoint)
  },
)

test(
  'the alert switch goes back and a toast gives the reason for each way in which push cannot be set up',
  { tag: '@full' },
  async ({ page, context, push }) => {
    await openPair(page)
    const refused = async (sentence: string) => {
      await alertSwitch(page, PAIR).click()
      await untilToast(page, sentence)
      await expect(alertSwitch(page, PAIR)).not.toBeChecked()
      await described(page, 'High', /not set/)
    }

    push.subscribing({ name: 'AbortError', message: 'Registration failed - push service error' })
    await refused('Error enabling push: Registration failed - push service error')

    push.subscribing('hang')
    await alertSwitch(page, PAIR).click()
    await expect(
      alertSwitch(page, PAIR),
      'the switch shows the user’s choice while the browser takes its time',
    ).toBeChecked()
    await untilToast(
      page,
      'Problem with push setup. Please try again or contact support. The browser’s push service did not answer within 10 seconds.',
    )
    await expect(alertSwitch(page, PAIR)).not.toBeChecked()

    push.subscribing('work')
    const refusal = { json: { error_code: 'VALIDATION_ERROR', detail: 'Not today' }, status: 422 }
    await context.route('**/api/v1/push/subscribe', (route) => route.fulfill(refusal))
    await refused('Push subscription could not be established with the server.')
    expect(push.subscription(), 'a subscription that nobody knows of is given back').toBeNull()
    await context.unroute('**/api/v1/push/subscribe')

    await context.clearPermissions()
    await refused('Could not enable push notifications. Please grant permission.')

    const browser = await context.newCDPSession(page)
    const { origin } = new URL(page.url())
    await browser.send('Browser.setPermission', { permission: { name: 'notifications' }, setting: 'denied', origin })
    await refused('Push notifications are blocked. Please enable them in browser settings.')

    await context.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'))
    await page.reload()
    await refused('Push notifications are not supported by this browser.')
    expect(await readTable(page, 'outbox'), 'nothing of it is stored').toEqual([])
  },
)
test(
  'alerts switched on offline reach the server when the network is back',
  { tag: '@full' },
  async ({ page, context, server, push }) => {
    await openPair(page)
    await expect.poll(() => waitingChanges(page)).toBe(0)
    await context.setOffline(true)
    await alertSwitch(page, PAIR).click()
    await expect(alertSwitch(page, PAIR)).toBeChecked()
    await described(page, 'High', /(?<!dis)armed/)
    await expect.poll(() => waitingChanges(page)).toBe(1)
    expect(await registeredEndpoint(page)).toBeNull()

    await context.setOffline(false)
    await expect.poll(() => registeredEndpoint(page), { timeout: 30_000 }).toBe(push.subscription()?.endpoint)
    await expect
      .poll(async () => (await onServer(page, server.origin))?.notifications_enabled, { timeout: 30_000 })
      .toBe(true)
  },
)

test(
  'a crossing in the browser disarms the threshold on screen and its end arms it, without a change on the server',
  { tag: '@full' },
  async ({ page, server, push }) => {
    const ratio = await openPair(page)
    await setThreshold(page, PAIR, 'High', String(ratio * 1.2))
    await setThreshold(page, PAIR, 'Low', String(ratio / 2))
    await alertSwitch(page, PAIR).click()
    await expect.poll(() => registeredEndpoint(page)).not.toBeNull()
    expect(await registeredEndpoint(page)).toBe(push.subscription()?.endpoint)
    // Prices that come after re-arming judge the new epoch.
    await expect.poll(async () => (await onServer(page, server.origin))?.notifications_enabled).toBe(true)
    const prices = await livePrices(page)
    await prices.move({ bitcoin: 1.5 })
    await described(page, 'High', /crossed, disarmed/)
    await described(page, 'Low', /(?<!dis)armed/)
    await expect.poll(() => waitingChanges(page)).toBe(0)
    const widget = await onServer(page, server.origin)
    expect(widget?.high_threshold_active, 'the server alone decides what has fired').toBe(true)
    await prices.move({ bitcoin: 1 / 1.5 })
    await described(page, 'High', /(?<!dis)armed/)
  },
)
