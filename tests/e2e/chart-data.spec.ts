import type { Page } from 'playwright/test'
import { chart, expectChart } from './support/app'
import { openBoard, PAIR } from './support/board'
import { overflow, violations } from './support/axe'
import { startFaultyProxy, type FaultyProxy } from './support/faulty-proxy'
import { onChart } from './support/pair-chart'
import { expect, test as base } from './support/test'

/** The shared server behind a proxy that changes what history it tells. */
const test = base.extend<{ network: FaultyProxy }>({
  network: async ({ server }, use) => {
    const network = await startFaultyProxy(server.origin)
    await use(network)
    await network.stop()
  },
  baseURL: async ({ network }, use) => use(network.origin),
})

type Point = readonly [time: number, usd: number]
interface Answer {
  readonly data: readonly Point[]
  readonly backfill: readonly { readonly data: readonly Point[] }[]
}

const isHistory = (path: string) => path.includes('/historical')
/** From now on a coin's history, at every level, is what `change` makes of it. */
function tell(network: FaultyProxy, change: (points: readonly Point[]) => readonly Point[], coin = ''): void {
  network.rewrite = ({ path }) =>
    isHistory(path) && path.includes(coin)
      ? (text) => {
          const answer = JSON.parse(text) as Answer
          const backfill = answer.backfill.map((level) => ({ ...level, data: change(level.data) }))
          return JSON.stringify({ ...answer, data: change(answer.data), backfill })
        }
      : null
}

/** From now on no prices come: of two polls the page would make a chart of its own. */
const holdPrices = (network: FaultyProxy) => {
  network.rule = ({ path }) => (path.includes('/simple/price') ? 'refuse' : 'pass')
}

async function openWidget(page: Page): Promise<void> {
  await openBoard(page, [PAIR])
  await page.getByRole('article').getByRole('button', { name: 'Open chart' }).click()
  await expect(chart(page, PAIR)).toBeVisible()
}

/** As it stands, in both themes. */
async function expectDecent(page: Page, state: string): Promise<void> {
  expect.soft(await overflow(page), state).toBeLessThanOrEqual(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    // A message that still fades in is no message yet.
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
    expect.soft(await violations(page), `${state}, ${colorScheme}`).toEqual([])
  }
}
const toggles = ['EMA (1d Target)', 'Bands (2σ)', 'Set Alerts', 'Export CSV']

for (const width of [360, 1440]) {
  test.describe(`chart at ${width} px`, { tag: '@full' }, () => {
    test.use({ viewport: { width, height: 780 }, hasTouch: width === 360 })

    test('a loading, a drawn and an empty chart are accessible and fit their width', async ({ page, network }) => {
      holdPrices(network)
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      network.onAnswer = ({ path }) => (isHistory(path) && path.includes('7d') ? held : undefined)
      await openWidget(page)
      await expect(chart(page, PAIR).getByText('Loading historical data for chart...')).toBeVisible()
      for (const name of toggles) await expect(onChart(page, name), name).toBeDisabled()
      await expectDecent(page, 'loading')

      release()
      await expectChart(page, PAIR)
      await onChart(page, 'EMA (1d Target)').click()
      await onChart(page, 'Bands (2σ)').click()
      await onChart(page, 'Show table').click()
      await expectDecent(page, 'ready, with all lines and the table')

      tell(network, () => [])
      await onChart(page, '1y').click()
      await expect(chart(page, PAIR).getByText('No ratio data available to display for this period')).toBeVisible()
      for (const name of ['EMA (30d Target)', 'Bands (2σ)', 'Set Alerts', 'Export CSV']) {
        await expect(onChart(page, name), name).toBeDisabled()
      }
      await expectDecent(page, 'empty')
    })

    test(
      'a chart whose history failed shows an accessible error and can be tried again',
      { tag: '@full' },
      async ({ page, network }) => {
        network.rule = ({ path }) =>
          isHistory(path) ? { error_code: 'MARKET_DATA_UNAVAILABLE', detail: 'Not today' } : 'pass'
        await openWidget(page)
        await expect(chart(page, PAIR).getByText(/Error fetching history for .*Not today/)).toBeVisible()
        await expectDecent(page, 'without history')
        network.rule = () => 'pass'
        await chart(page, PAIR).getByRole('button', { name: 'Try again' }).first().click()
        await expectChart(page, PAIR)
      },
    )
  })
}
