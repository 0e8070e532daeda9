import { expect, test } from 'playwright/test'
import type { Size } from './in-browser/market'
import { openBenchPage, type BenchPage } from './support/bench-page'
import { median } from './support/statistics'
import { ms } from './support/table'

const ROUNDS = 60
const WARM_UP = 20

/** How many times the reading of the two records the whole job may take, to the columns' being on their way. */
const MOST_OF_READING = 2.5

let opened: BenchPage
test.beforeAll(async () => {
  opened = await openBenchPage()
})
test.afterAll(() => opened.close())

for (const size of [2160, 8760] as const satisfies readonly Size[]) {
  test(`the chart worker’s job at ${size} points takes at most 2.5 times the reading of its records`, async () => {
    const order = { size, rounds: ROUNDS, warmUp: WARM_UP }
    const { read, job } = await opened.page.evaluate((order) => bench!.raceJob(order), order)
    const times = median(job) / median(read)
    console.log(
      `\nTwo series of ${size} points out of the database ${ms(median(read))} ms, the whole job ${ms(median(job))} ms: ${times.toFixed(2)} ×`,
    )
    expect(times).toBeLessThanOrEqual(MOST_OF_READING)
  })
}
