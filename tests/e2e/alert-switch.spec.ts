import type { Page } from 'playwright/test'
import { described, onServer, openPair, PAIR } from './support/board'
import { alertSwitch, setThreshold } from './support/threshold'
import { registeredPush } from './support/push-registration'
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
