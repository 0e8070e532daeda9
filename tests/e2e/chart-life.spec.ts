import type { Page } from 'playwright/test'
import { card, chart, expectChart, onCard, ratioOf } from './support/app'
import { PAIR } from './support/board'
import { choose, drawn, onChart, openPairChart } from './support/pair-chart'
import { setThreshold, shownRatio } from './support/threshold'
import { expect, test } from './support/test'

declare global {
  var workers: Worker[]
  var reported: string[]
}

/** Keeps a page's web workers at hand, and what is reported of their end, which is then no error of the page. */
const keepWorkers = (page: Page) =>
  page.addInitScript(() => {
    globalThis.workers = []
    globalThis.reported = []
    addEventListener('error', (event) => {
      if (!(event.error instanceof Error) || event.error.name !== 'WorkerGone') return
      globalThis.reported.push(event.error.message)
      event.preventDefault()
    })
    globalThis.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options)
        globalThis.workers.push(this)
      }
    }
  })

test(
  'the chart draws both thresholds and the checkpoint as lines and lists them by name',
  { tag: '@full' },
  async ({ page }) => {
    await openPairChart(page)
    await page.goBack()
    const ratio = await shownRatio(page, PAIR)
    await setThreshold(page, PAIR, 'High', String(ratio * 1.01))
    await setThreshold(page, PAIR, 'Low', String(ratio * 0.99))
    await onCard(page, PAIR, 'Checkpoint').click()
    await ratioOf(page, PAIR).click()
    await card(page, PAIR).getByRole('button', { name: 'Open chart' }).click()
    await expectChart(page, PAIR)
    for (const token of ['--chart-high', '--chart-low', '--chart-checkpoint']) {
      await expect.poll(async () => (await drawn(page, token)).count, token).toBeGreaterThan(50)
    }
    await expect(
      chart(page, PAIR).getByRole('list', { name: 'Alerts and checkpoints' }).getByRole('listitem'),
    ).toHaveCount(3)
  },
)

test('the chart draws another period after its web worker was terminated', { tag: '@full' }, async ({ page }) => {
  await keepWorkers(page)
  await openPairChart(page)
  await page.evaluate(() => globalThis.workers.forEach((worker) => worker.terminate()))
  await onChart(page, '1y').click()
  // The browser does not tell that a worker has ended: the page gives it up when it has not answered for 20 s.
  const given = { message: 'the log knows, once for each answer that was waited for', timeout: 40_000 }
  await expect.poll(() => page.evaluate(() => globalThis.reported), given).not.toEqual([])
  await choose(page, '1y')
  await expectChart(page, PAIR)
  expect((await drawn(page, '--chart-ratio')).count).toBeGreaterThan(500)
})

test.describe('chart with reduced motion', () => {
  test('the chart animates nothing when the user prefers reduced motion', { tag: '@full' }, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openPairChart(page)
    await onChart(page, '1y').click()
    const moving = () => page.evaluate(() => document.getAnimations().map(({ effect }) => effect?.getTiming().duration))
    expect((await moving()).filter((duration) => Number(duration) > 1)).toEqual([])
    await expectChart(page, PAIR)
  })
})
