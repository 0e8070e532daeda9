import { expect, test } from './support/alert-test'
import { fetchBoard } from './support/board'
import { seedPairs } from './support/seed-board'
import { anonymousId, headersOf } from './support/truth'
import { calmDown, CROSSED, firstWidget, openCalm } from './support/watched-pair'

test(
  'an open app without push tells once of a crossing that the server saw, and Alerts says when the ratio came back',
  { tag: '@full' },
  async ({ page, context, world }) => {
    await openCalm(page, world)
    const asker = { guest: await anonymousId(page) }
    const { origin } = world.server
    const [{ id } = { id: '' }] = await seedPairs(origin, asker, ['BTC / ETH'])
    await fetch(`${origin}/api/v1/widgets/${id}`, {
      method: 'PUT',
      headers: { ...headersOf(asker), 'content-type': 'application/json' },
      body: JSON.stringify({ notifications_enabled: true, high_threshold: 26 }),
    })
    const other = await context.newPage()
    await other.goto('/alerts')
    await page.bringToFront()

    await world.market.pin(CROSSED)
    await expect.poll(async () => (await firstWidget(world, asker)).high_threshold_active).toBe(false)
    await fetchBoard(page)
    const toast = page
      .locator('[popover]')
      .filter({ hasText: 'Sell alert: BTC / ETH. Ratio 27.5000 is above 26.0000.' })
    await expect(toast).toBeVisible()
    await toast.getByText('Dismiss').click()
    await expect(other.getByText('Sell alert: BTC / ETH.', { exact: false })).toHaveCount(0)

    await calmDown(world, asker)
    await fetchBoard(page)
    const row = other.getByRole('region', { name: 'Last 90 days' }).getByRole('listitem')
    await expect(row).toHaveCount(1)
    await expect(row).toContainText('Sell 27.5000 above 26.0000')
    await expect(row).toContainText(/back at \d\d:\d\d/)
    await expect(toast).toHaveCount(0)
  },
)
