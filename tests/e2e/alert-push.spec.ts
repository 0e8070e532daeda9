import type { Page } from 'playwright/test'
import type { AlertMessage } from '../../src/contract/alerts'
import { expectGuest, leaveGuestPairs, logIn, logOut } from './support/auth'
import { registeredPush } from './support/push-registration'
import { shownNotifications } from './support/shown'
import { thresholdBox } from './support/threshold'
import { readTable } from './support/truth'
import { calmDown, CALM, CROSSED, firstWidget, openWatching, watchPair } from './support/watched-pair'
import { expect, test } from './support/alert-test'

const toast = (page: Page) => page.locator('[popover]').filter({ hasText: /^Sell alert/ })
const titles = async (page: Page) => (await page.evaluate(shownNotifications)).map(({ title }) => title).toSorted()
const alerts = async (page: Page) =>
  ((await readTable(page, 'alerts')) as readonly { pair: string; toasted: boolean }[]).map(
    ({ pair, toasted }) => `${pair}${toasted ? ', toasted' : ''}`,
  )

test(
  'the browser shows one notification and one toast per crossing, whichever of three tabs’ pulls and a push is first',
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
    const dismiss = async () => {
      await expect.poll(toasts).toBe(1)
      for (const tab of tabs) if ((await toast(tab).count()) > 0) await toast(tab).getByText('Dismiss').click()
      await expect.poll(toasts).toBe(0)
    }

    await world.market.pin({ ...CROSSED, solana: CALM.solana })
    await expect.poll(() => push.received.length).toBe(1)
    await expect.poll(() => titles(page)).toEqual(['Sell alert: BTC / ETH'])
    await expect(thresholdBox(page, 'BTC / ETH', 'High')).toHaveAccessibleDescription(/crossed, disarmed/)
    await dismiss()

    // Two more crossings, which come behind it by the same ways.
    await calmDown(world, { guest })
    await world.market.pin({ ...CROSSED, solana: CALM.solana })
    await expect.poll(() => push.received.length).toBe(2)
    await dismiss()
    await world.market.pin(CROSSED)
    await expect.poll(() => push.received.length).toBe(3)
    await dismiss()
    const shown = ['BTC / ETH, toasted', 'BTC / ETH, toasted', 'SOL / ETH, toasted']
    await expect.poll(async () => (await alerts(page)).toSorted()).toEqual(shown)
    expect(await titles(page)).toEqual(shown.map((one) => `Sell alert: ${one.slice(0, 9)}`))
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
