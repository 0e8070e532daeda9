import type { NotificationDaemon } from '../support/notification-daemon'
import { chart } from './support/app'
import { checkViews, PHONE } from './support/views'
import { calmDown, CROSSED, firstWidget, openWatching } from './support/watched-pair'
import { expect, test } from './support/desk-test'

test.use(PHONE)

/**
 * Clicks the notification that stands on the desktop until the click has had its effect. The open page and the push each
 * show a crossing, at about the same time, and the second takes the place of the first, with it a click that comes between.
 */
const clickUntil = (desk: NotificationDaemon, done: () => Promise<void>, button?: string) =>
  expect(async () => {
    const [shown] = desk.shown()
    if (shown !== undefined) desk.click(shown, button)
    await done()
  }).toPass({ timeout: 20_000 })

test(
  'a click on a notification opens the chart in the open tab, and its button snoozes the pair without opening anything',
  { tag: '@full' },
  async ({ page, context, world, push, desk }) => {
    const guest = await openWatching(page, world, ['BTC / ETH'])
    const widget = () => firstWidget(world, { guest })
    const { id } = await widget()
    await page.evaluate(() => Object.assign(window, { stillTheSame: true }))

    await world.market.pin(CROSSED)
    const first = await desk.next()
    expect(first).toMatchObject({ title: 'Sell alert: BTC / ETH', buttons: ['Snooze 1 h', 'Until it is back'] })
    await clickUntil(desk, () => expect(page).toHaveURL(new RegExp(`/chart/${id}`), { timeout: 2_000 }))
    await expect(chart(page, 'BTC / ETH')).toBeVisible()
    expect(await page.evaluate(() => 'stillTheSame' in window), 'it was not loaded again').toBe(true)
    expect(context.pages()).toHaveLength(1)
    await expect.poll(() => push.received.length).toBe(1)

    await calmDown(world, { guest })
    await world.market.pin(CROSSED)
    await page.goto('/')
    const line = page.getByText(/^Snoozed until \d\d:\d\d/)
    await clickUntil(desk, () => expect(line).toBeVisible({ timeout: 2_000 }), 'Snooze 1 h')
    expect(context.pages(), 'nothing was opened').toHaveLength(1)
    await checkViews(page, 'a snoozed pair')
    await expect.poll(async () => Date.parse((await widget()).snoozed_until ?? '')).toBeGreaterThan(Date.now())
  },
)

test(
  'a click on a notification opens a window with the chart when the app has none open',
  { tag: '@full' },
  async ({ page, context, world, push, desk }) => {
    const guest = await openWatching(page, world, ['BTC / ETH'])
    const { id } = await firstWidget(world, { guest })
    await world.market.pin(CROSSED)
    // Beside the page's own: a push is handed over while a page of the app is open.
    await expect.poll(() => push.received.length).toBe(1)
    await page.goto('about:blank')
    await expect.poll(() => context.serviceWorkers()[0]?.evaluate(openWindows)).toBe(0)

    const opening = context.waitForEvent('page')
    await clickUntil(desk, () => expect.poll(() => context.pages().length, { timeout: 2_000 }).toBe(2))
    const opened = await opening
    await expect(opened).toHaveURL(new RegExp(`/chart/${id}`))
    await expect(chart(opened, 'BTC / ETH')).toBeVisible()
    expect(push.received).toHaveLength(1)
  },
)

/** How many windows of the app there are, as its service worker sees it; a page that is left goes a moment later. */
async function openWindows(): Promise<number> {
  const { clients } = self as unknown as {
    readonly clients: { matchAll(options: object): Promise<readonly unknown[]> }
  }
  return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length
}
