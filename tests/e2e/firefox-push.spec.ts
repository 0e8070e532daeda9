import type { Page } from 'puppeteer-core'
import { findFirefox, hasMessageBus } from '../browser.mjs'
import { mozillaPush, type MozillaPush } from '../support/mozilla-push'
import { deviceKeys } from '../support/push-device'
import type { PushChannel, PushService } from '../support/push-service'
import { startNotificationDaemon, type NotificationDaemon } from '../support/notification-daemon'
import { startFirefox, type Firefox } from './support/firefox'
import { serverKnows } from './support/known-prices'
import { shownNotifications } from './support/shown'
import { headersOf, recordsOf, widgetsOnServer } from './support/truth'
import { expect, test as base } from './support/alert-test'

interface Surroundings {
  readonly mozilla: MozillaPush
  readonly desk: NotificationDaemon
  readonly firefox: Firefox
}

/** USD: a ratio of 25, and one of 27.5. */
const CALM = { bitcoin: 100_000, ethereum: 4_000 }
const CROSSED = { bitcoin: 110_000, ethereum: 4_000 }

const path = findFirefox()
const without = path === null || !hasMessageBus()

const test = base.extend<Surroundings>({
  mozilla: async ({ pushService }, use) => {
    const mozilla = mozillaPush(pushService)
    await use(mozilla)
    mozilla.stop()
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  desk: async ({}, use) => {
    const desk = await startNotificationDaemon()
    await use(desk)
    await desk.stop()
  },
  firefox: async ({ mozilla, desk }, use) => {
    const firefox = await startFirefox(path ?? '', mozilla, desk.variables)
    await use(firefox)
    await firefox.close()
  },
})
test.skip(without, 'Firefox or dbus-daemon is not there')

/** A button, switch or field by its role and name, as a person finds it. */
const press = (page: Page, role: string, name: string) => page.locator(`aria/${name}[role="${role}"]`).click()

async function addPair(page: Page, base: string, quote: string): Promise<void> {
  await press(page, 'button', 'Add Pair')
  for (const [label, coin] of [
    ['Base coin', base],
    ['Quote coin', quote],
  ] as const) {
    await page.locator(`aria/${label}[role="combobox"]`).fill(coin)
    await page.locator('[role="option"]').click()
  }
  await page.locator('dialog[open] button[type="submit"]').click()
  await page.locator('article').wait()
}

/** The guest identity of this browser. */
async function guestOf(page: Page): Promise<string> {
  const [session] = (await page.evaluate(recordsOf, 'session')) as readonly { readonly anonymous_id: string }[]
  return session?.anonymous_id ?? ''
}

test(
  'Firefox receives alerts by push, also those of an offline spell, and is unsubscribed after its push service answers 410',
  { tag: '@full' },
  async ({ firefox, mozilla, desk, world, pushService }) => {
    const { page } = firefox
    const { origin } = world.server
    await world.market.pin(CALM)
    await serverKnows(origin, CALM)
    await page.goto(origin)
    await addPair(page, 'Bitcoin', 'Ethereum')
    await press(page, 'switch', 'Alerts')
    const guest = await guestOf(page)
    const widget = async () => (await widgetsOnServer(origin, { guest }))[0]
    await expect.poll(widget).toMatchObject({ notifications_enabled: true, high_threshold: 26.25, high_epoch: 0 })
    const [channel] = mozilla.channels()
    if (channel === undefined) throw new Error('Firefox is subscribed to nothing.')
    await expect.poll(() => page.evaluate(recordsOf, 'meta').then(JSON.stringify)).toContain(channel.endpoint)

    // An open page announces a crossing by itself.
    await page.goto('about:blank')
    await world.market.pin(CROSSED)
    const shown = await desk.next()
    expect(shown.title).toBe('Sell alert: BTC / ETH')
    expect(shown.body).toMatch(/^Ratio 27\.5\d* is above 26\.25\d*\. \d\d:\d\d$/)
    const { id = '' } = (await widget()) ?? {}
    await page.goto(origin)
    expect(await page.evaluate(shownNotifications)).toMatchObject([{ title: shown.title, tag: `${id}:high:0` }])
    expect(await page.evaluate(recordsOf, 'alerts')).toMatchObject([{ event_id: `${id}:high:0`, by: 'push' }])
    await page.locator('::-p-xpath(//article[contains(., "disarmed")])').wait()

    desk.click(shown)
    await page.waitForFunction((chart) => location.pathname.startsWith(chart), {}, `/chart/${id}`)
    await page.locator('aria/BTC/ETH Historical Ratio[role="region"]').wait()
    expect(await page.evaluate(shownNotifications)).toEqual([])

    // Back, and beyond once more while the browser is cut off.
    await world.market.pin(CALM)
    await expect.poll(widget).toMatchObject({ high_threshold_active: true, high_epoch: 1 })
    await page.goto('about:blank')
    mozilla.interrupt()
    await world.market.pin(CROSSED)
    await expect.poll(() => channel.answers).toEqual([201, 201])
    expect(desk.shown()).toEqual([])
    mozilla.resume()
    await desk.next()
    await page.goto(origin)
    expect(await page.evaluate(shownNotifications)).toMatchObject([{ tag: `${id}:high:1` }])
    await mozilla.acknowledgements(2)

    // Another device of theirs hears of everything; this one is asked once more, and never again.
    const other = await subscribeElsewhere(pushService, origin, guest)
    await firefox.close()
    mozilla.forgetBrowsers()
    for (const crossing of [1, 2]) {
      await world.market.pin(CALM)
      await expect.poll(widget).toMatchObject({ high_threshold_active: true })
      await world.market.pin(CROSSED)
      await expect.poll(() => other.answers.length).toBe(crossing)
      await expect.poll(() => channel.answers).toEqual([201, 201, 410])
    }
  },
)

/** A device that takes whatever comes. */
async function subscribeElsewhere(service: PushService, origin: string, guest: string): Promise<PushChannel> {
  const channel = service.channel({ vapidKey: null, onMessage: () => undefined })
  const answer = await fetch(`${origin}/api/v1/push/subscribe`, {
    method: 'POST',
    headers: { ...headersOf({ guest }), 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint: channel.endpoint, expirationTime: null, keys: deviceKeys().keys }),
  })
  expect(answer.status).toBe(201)
  return channel
}
