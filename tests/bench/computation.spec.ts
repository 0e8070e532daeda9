import { expect, test } from 'playwright/test'
import type { Size } from './in-browser/market'
import { openBenchPage, type BenchPage } from './support/bench-page'
import { median } from './support/statistics'
import { ms, table } from './support/table'

const ROUNDS = 40

let opened: BenchPage
test.beforeAll(async () => {
  opened = await openBenchPage()
})
test.afterAll(() => opened.close())

for (const size of [2160, 8760] as const satisfies readonly Size[]) {
  test(`our average, deviation and bands of ${size} ratios are no slower than the libraries’`, async () => {
    const order = [size, ROUNDS] as const
    const { bands, whole } = await opened.page.evaluate((order) => bench!.raceComputations(...order), order)
    const medians = Object.entries(bands).map(([name, times]) => ({ name, time: median(times) }))
    const own = medians.find(({ name }) => name === 'ours')?.time ?? Number.NaN
    const rows = medians.map(({ name, time }) => [name, ms(time), `${(time / own).toFixed(1)} ×`])
    console.log(`\nMilliseconds, medians of ${ROUNDS} rounds:`)
    console.log(table([`${size} ratios`, 'time', 'times ours'], rows))
    console.log(`A whole chart from two series of prices: ${ms(median(whole))} ms.`)
    for (const { name, time } of medians) expect.soft(time / own, `${name}: times ours`).toBeGreaterThanOrEqual(1)
  })
}

/** Milliseconds for 4,950 pairs of 365 days in four windows, and how many times that simple-statistics takes. */
const MOST_FOR_ALL_PAIRS = 60
const LEAST_TIMES_LIBRARY = 20

test('the statistics of all pairs of a hundred coins take at most 60 ms, a twentieth of simple-statistics’ time', async () => {
  const { ours, library } = await opened.page.evaluate((rounds) => bench!.racePairs(rounds), 15)
  const [own, other] = [median(ours), median(library)]
  console.log(
    `\n4,950 pairs, four windows: ${ms(own)} ms, by simple-statistics ${ms(other)} ms: ${(other / own).toFixed(1)} ×`,
  )
  expect.soft(own).toBeLessThanOrEqual(MOST_FOR_ALL_PAIRS)
  expect.soft(other / own).toBeGreaterThanOrEqual(LEAST_TIMES_LIBRARY)
})
