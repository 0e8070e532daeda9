import type { Page } from 'playwright/test'
import type { AlertMessage } from '../../src/contract/alerts'
import { expectGuest, leaveGuestPairs, logIn, logOut } from './support/auth'
import { livePrices } from './support/live-prices'
import { registeredPush } from './support/push-registration'
import { shownNotifications } from './support/shown'
import { thresholdBox } from './support/threshold'
import { readTable } from './support/truth'
import { calmDown, CALM, CROSSED, firstWidget, openWatching, watchPair } from './support/watched-pair'
import { expect, test } from './support/alert-test'

const toast = (page: Page) => page.locator('[popover]').filter({ hasText: /^Sell alert/ })
const titles = async (page: Page) => (await page.evaluate(shownNotifications)).map(({ title }) => title).toSorted()
const alerts = async (page: Page) =>
  ((await readTable(page, 'alerts')) as readonly { pair: string; by: string; toasted: boolean }[]).map(
    ({ pair, by, toasted }) => `${pair} by ${by}${toasted ? ', toasted' : ''}`,
  )

test(
  'the browser shows one notification per crossing, whichever of three tabs and a push is first',
  { tag: '@full' },
  async ({ page, context, world, push }) => {
    const guest = await openWatching(page, world, ['BTC / ETH', 'SOL / ETH'])
    const tabs = [page, await context.newPage(), await context.newPage()]
    for (const tab of tabs.slice(1)) await tab.goto('/alerts')
    await page.bringToFront()
    const toasts = async () => {
      const counts = await Promise.all(tabs.map((tab) => toast(tab).count()))
      return counts.reduce((sum, count) => sum + count, 0)
    }
    const prices = await livePrices(page)

    await prices.move({ bitcoin: 1.1 })
    await expect.poll(() => alerts(page)).toEqual(['BTC / ETH by app, toasted'])
    await expect.poll(() => titles(page)).toEqual(['Sell alert: BTC / ETH'])
    await expect.poll(toasts).toBe(1)
    await expect(thresholdBox(page, 'BTC / ETH', 'High')).toHaveAccessibleDescription(/crossed, disarmed/)
    for (const tab of tabs) if ((await toast(tab).count()) > 0) await toast(tab).getByText('Dismiss').click()
    await expect.poll(toasts).toBe(0)

    // The server sees the same crossing: the push takes the place of what is shown.
    await world.market.pin({ ...CROSSED, solana: CALM.solana })
    await expect.poll(() => push.received.length).toBe(1)
    await expect.poll(async () => (await firstWidget(world, { guest })).high_threshold_active).toBe(false)
    await expect.poll(() => titles(page)).toEqual(['Sell alert: BTC / ETH'])
    expect(await alerts(page)).toEqual(['BTC / ETH by app, toasted'])
    expect(await toasts()).toBe(0)

    // Another crossing, of which the push tells first; the look that finds it, too, finds Solana's first of all.
    await prices.move({ bitcoin: 1 / 1.1 })
    await calmDown(world, { guest })
    await world.market.pin({ ...CROSSED, solana: CALM.solana })
    await expect.poll(() => push.received.length).toBe(2)
    await expect.poll(toasts).toBe(1)
    await expect(async () => {
      // The page's own poll may bring Solana's calm price back before the look.
      await prices.move({ bitcoin: 1.1, solana: 1.1 })
      await expect.poll(() => titles(page), { timeout: 2_000 }).toContain('Sell alert: SOL / ETH')
    }).toPass()
    await expect
      .poll(async () => (await alerts(page)).toSorted())
      .toEqual(['BTC / ETH by app, toasted', 'BTC / ETH by push, toasted', 'SOL / ETH by app, toasted'])
    expect(await titles(page)).toEqual(['Sell alert: BTC / ETH', 'Sell alert: BTC / ETH', 'Sell alert: SOL / ETH'])
  },
)

test(
  'a browser’s push registration moves to the user at login and back to the guest at logout',
  { tag: '@full' },
  async ({ page, world, push }) => {
    const guest = await openWatching(page, world, ['BTC / ETH'])
    const owner = async () => (await registeredPush(page))?.owner
    expect(await owner()).toBe(guest)
    await logIn(page, world.member)
    await expect.poll(owner).toBe(world.member.user.id)
    await leaveGuestPairs(page)
    await watchPair(page, world, { token: world.member.accessToken }, 'SOL / ETH')

    await world.market.pin(CROSSED)
    await expect.poll(() => push.received.length).toBe(1)
    await expect.poll(() => titles(page)).toEqual(['Sell alert: SOL / ETH'])
    await expect.poll(async () => (await firstWidget(world, { guest })).high_threshold_active, 'both fired').toBe(false)

    await logOut(page)
    await expectGuest(page)
    await expect.poll(owner).toBe(guest)
    await calmDown(world, { guest })
    await world.market.pin(CROSSED)
    await expect.poll(() => push.received.length).toBe(2)
    await expect.poll(() => titles(page)).toContain('Sell alert: BTC / ETH')
    expect(push.received.map((text) => (JSON.parse(text) as AlertMessage).pair)).toEqual(['SOL / ETH', 'BTC / ETH'])
  },
)
