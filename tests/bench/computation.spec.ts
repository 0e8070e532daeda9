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
