import { randomUUID } from 'node:crypto'
import { expect, test, type Page } from 'playwright/test'
import { API_BASE } from '../../../src/contract/routes'
import { median } from '../support/statistics'
import { table } from '../support/table'
import { loadAverage } from './support/machine'
import { cleanUp, ENGINES, newStorage, startMeasured } from './support/measured-server'
import { startPinnedMarket, type PinnedMarket } from './support/pinned-market'
import { closeBrowsers, newsBy, openDevices, seedPerson } from './support/two-browsers'

const PRICES = Number(process.env.BENCH_ROUNDS ?? 40)
const CROSSINGS = Math.ceil(PRICES / 4)
/** Milliseconds from the provider's answer to the words on the screen; the server stores in between. */
const MOST_TO_CARD = 300
const MOST_TO_ANNOUNCEMENT = 1_000
/** The ratio is 25 at the first. */
const THRESHOLD = 30

let market: PinnedMarket
test.beforeEach(async () => {
  market = await startPinnedMarket()
})
test.afterEach(closeBrowsers)
test.afterEach(cleanUp)
test.afterEach(() => market.stop())

/** When words appear within elements of a page, milliseconds since 1970. */
async function shownAt(page: Page, selector: string, words: string): Promise<() => Promise<number>> {
  const watch = ([selector, words]: readonly [string, string]) => {
    const shown = () => [...document.querySelectorAll(selector)].some((each) => each.textContent.includes(words))
    if (shown()) throw new Error(`It says ${words} already.`)
    const at = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!shown()) return
        observer.disconnect()
        resolve(performance.timeOrigin + performance.now())
      })
      observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
    })
    Object.assign(globalThis, { shownAt: at })
  }
  await page.evaluate(watch, [selector, words] as const)
  return () => page.evaluate(() => (globalThis as unknown as { shownAt: Promise<number> }).shownAt)
}

const figures = (name: string, times: readonly number[], bound: number) => [
  `${name}, ${times.length} times`,
  `${median(times).toFixed(0)} ms`,
  `${Math.max(...times).toFixed(0)} ms`,
  `${bound} ms`,
]

for (const engine of ENGINES) {
  test(`a price is on the card in ${MOST_TO_CARD} ms, and a crossing announced in ${MOST_TO_ANNOUNCEMENT} ms, on ${engine}`, async () => {
    const storage = await newStorage(engine)
    const { variables, token } = await seedPerson(storage)
    const { origin } = await startMeasured(storage, { ...variables, ...market.variables })
    const [page] = await openDevices([origin], token, ['BTC / ETH'])
    if (page === undefined) throw new Error('There is no page.')
    await expect.poll(() => newsBy(page), 'the app has a stream').toBe('live')

    const toCard: number[] = []
    for (let price = 1; price <= PRICES; price += 1) {
      const ratio = 25 + price / 100
      const shown = await shownAt(page, 'article', ratio.toFixed(4))
      const read = await market.pin(ratio * 4_000)
      toCard.push((await shown()) - read)
    }

    const auth = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const [widget] = (await (await fetch(`${origin}${API_BASE}/widgets`, { headers: auth })).json()) as { id: string }[]
    const setThreshold = await fetch(`${origin}${API_BASE}/widgets/${widget?.id}`, {
      method: 'PUT',
      headers: { ...auth, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ high_threshold: THRESHOLD, notifications_enabled: true }),
    })
    expect(setThreshold.status, 'the threshold is set').toBe(200)
    await expect(page.getByRole('article')).toContainText(THRESHOLD.toFixed(1))
    const toToast: number[] = []
    for (let crossing = 1; crossing <= CROSSINGS; crossing += 1) {
      const ratio = THRESHOLD + crossing / 100
      const shown = await shownAt(page, '[popover]', ratio.toFixed(4))
      const read = await market.pin(ratio * 4_000)
      toToast.push((await shown()) - read)
      await page.locator('[popover]').getByRole('button').first().click()
      // Armed again with the first price below.
      const calm = await shownAt(page, 'article', (25 - crossing / 100).toFixed(4))
      await market.pin((25 - crossing / 100) * 4_000)
      await calm()
    }
    console.log(
      `\nFrom the provider’s answer, which the server then stores, to the screen, ${engine}, ${loadAverage()}:`,
    )
    const rows = [
      figures('the price on the card', toCard, MOST_TO_CARD),
      figures('the crossing in a toast', toToast, MOST_TO_ANNOUNCEMENT),
    ]
    console.log(table(['', 'median', 'worst', 'bound of all'], rows))
    expect.soft(Math.max(...toCard), 'to the card').toBeLessThanOrEqual(MOST_TO_CARD)
    expect.soft(Math.max(...toToast), 'to the toast').toBeLessThanOrEqual(MOST_TO_ANNOUNCEMENT)
  })
}
