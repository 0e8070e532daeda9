import { expect, test } from 'playwright/test'
import { ACTS, type Act } from './in-browser/acts'
import type { Size } from './in-browser/market'
import { openBenchPage, type BenchPage } from './support/bench-page'
import { DRAWING, heapOf, openedPicture, race, whyNotDrawn, type Drawing } from './support/race'
import { median } from './support/statistics'
import { ms, table } from './support/table'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30)
const WARM_UP = 3
const HEAP_ROUNDS = 5

/** How many times the processor time of bare uPlot ours may take, from data to drawn and for a zoom. */
const MOST_OF_BARE = 1.3
/** How many times ours the peers take at least. */
const LEAST_OF_PEERS = 2
const BARRED: readonly Act[] = ['open', 'zoom']
const PEERS: readonly Drawing[] = ['Chart.js', 'lightweight-charts', 'ECharts']

const TITLES: Readonly<Record<Act, string>> = {
  open: 'cold open',
  switch: 'period switch',
  zoom: 'zoom',
  point: 'one point',
}

let opened: BenchPage
test.beforeAll(async () => {
  opened = await openBenchPage()
})
test.afterAll(() => opened.close())

test('the drawing check rejects a canvas that shows no lines', async () => {
  expect(whyNotDrawn(await openedPicture(opened.page, 'blank', 2160))).toContain('ratio is on 0 %')
})

for (const size of [2160, 8760] as const satisfies readonly Size[]) {
  test(`a chart of ${size} points costs at most 1.3 times bare uPlot and half of what its peers do`, async () => {
    const { page } = opened
    const costs = await race(page, size, ROUNDS, WARM_UP)
    const heaps: Partial<Record<Drawing, number>> = {}
    for (const name of DRAWING) {
      const rounds: number[] = []
      for (let round = 0; round < HEAP_ROUNDS; round += 1) rounds.push(await heapOf(page, name, size))
      heaps[name] = median(rounds)
    }

    const net = (name: Drawing, act: Act) => median(costs[name][act]) - median(costs.idle[act])
    const rows = DRAWING.map((name) => [
      name,
      ...ACTS.map((act) => `${ms(net(name, act))} (${(net(name, act) / net('ours', act)).toFixed(2)} ×)`),
      `${((heaps[name] ?? NaN) / 1024).toFixed(0)} kB`,
    ])
    const heading = [`${size} points`, ...ACTS.map((act) => TITLES[act]), 'heap']
    console.log(`\nMilliseconds of main-thread processor time until drawn, medians of ${ROUNDS} rounds (× ours):`)
    console.log(table(heading, rows))
    const idle = ACTS.map((act) => `${TITLES[act]} ${ms(median(costs.idle[act]))}`).join(', ')
    console.log(`What measuring itself costs is taken off: ${idle}.`)

    for (const act of BARRED) {
      expect
        .soft(net('ours', act) / net('bare uPlot', act), `${TITLES[act]}: times bare uPlot`)
        .toBeLessThanOrEqual(MOST_OF_BARE)
      for (const peer of PEERS) {
        expect
          .soft(net(peer, act) / net('ours', act), `${TITLES[act]}: ${peer} times ours`)
          .toBeGreaterThanOrEqual(LEAST_OF_PEERS)
      }
    }
  })
}
