import { expect, test } from 'playwright/test'
import type { Size } from './in-browser/market'
import { mainThread } from '../e2e/support/main-thread'
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

/** Milliseconds of the page's thread that one question for all pairs may take, the answer's arrival included. */
const MOST_OF_PAGE = 4

test('the answer for all pairs of a hundred coins keeps the page’s thread for less than 4 ms', async () => {
  const cost = await mainThread(opened.page)
  const whole: number[] = []
  const tasks: number[] = []
  for (let round = 0; round < 15; round += 1) {
    await cost()
    whole.push(await opened.page.evaluate(() => bench!.askRadar()))
    tasks.push((await cost()).task)
  }
  console.log(
    `\nAll pairs from the stored matrix ${ms(median(whole))} ms, of the page’s thread ${ms(median(tasks))} ms.`,
  )
  expect(median(tasks)).toBeLessThan(MOST_OF_PAGE)
})
