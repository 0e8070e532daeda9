import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'playwright/test'
import { table } from '../support/table'
import { change, makeGuests, offeredCoins } from './support/guests'
import { loadAverage } from './support/machine'
import { cleanUp, ENGINES, newStorage, startMeasured } from './support/measured-server'
import { startChurningClients } from './support/stream-clients'

const MINUTES = Number(process.env.CHURN_MINUTES ?? 2)
/** The server opens at most 200 a second. */
const OPENED_A_SECOND = 150
const GUESTS = 60
/** Seconds of the same before the first look: caches, statements and compiled code are there then. */
const WARM_UP = 30
/** Milliseconds between two changes of a guest's pair. */
const CHANGE_SPACING = 20
/** Of the heap after the warm-up. */
const MOST_GROWTH = 0.1

test.afterEach(cleanUp)

for (const engine of ENGINES) {
  test(`${MINUTES} minutes of streams that are opened and cut leave nothing in the server’s heap, on ${engine}`, async () => {
    const { origin, process } = await startMeasured(await newStorage(engine), { PRICE_POLL_SECONDS: '1' })
    const [guests, coins] = [await makeGuests(origin, GUESTS, 1), await offeredCoins(origin)]
    const clients = startChurningClients()
    const owners = guests.map(({ headers }) => headers)
    /** Opens and cuts streams, while pairs change. */
    const churn = async (seconds: number) => {
      const report = clients.ask({ origin, owners, coins, perSecond: OPENED_A_SECOND, seconds })
      const over = report.then(() => true)
      let changes = 0
      while (!(await Promise.race([over, sleep(CHANGE_SPACING, false)]))) {
        const { headers, widgets } = guests[changes % GUESTS]!
        changes += 1
        await change(origin, headers, 'PUT', `/widgets/${widgets[0]}`, { high_threshold: 1e9 + changes })
      }
      return { ...(await report), changes }
    }
    const openStreams = async () => {
      const metrics = await (await fetch(`${origin}/metrics`)).text()
      return Number(/^streams_open (\d+)/m.exec(metrics)?.[1])
    }
    const rest = async () => {
      await expect.poll(openStreams, { timeout: 60_000 }).toBe(0)
      await process.collectGarbage()
      return process.use()
    }
    await churn(WARM_UP)
    const before = await rest()
    const done = await churn(MINUTES * 60)
    const after = await rest()

    const MB = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
    console.log(`\nStreams opened and cut for ${MINUTES} minutes, ${engine}, garbage collected, ${loadAverage()}:`)
    const rows = [
      ['streams opened and cut', String(done.opened), ''],
      ['days of one every five seconds', (done.opened / (86_400 / 5)).toFixed(1), ''],
      ['refused; ended before the first event', `${done.refused}; ${done.failed}`, ''],
      ['pairs changed meanwhile', String(done.changes), ''],
      ['heap before', MB(before.heap), ''],
      ['heap after', MB(after.heap), MB(before.heap * (1 + MOST_GROWTH))],
      ['process memory (RSS) before, after', `${MB(before.rss)}, ${MB(after.rss)}`, ''],
      ['streams that the server counts as open', String(await openStreams()), '0'],
    ]
    console.log(table(['', '', 'bound'], rows))
    expect.soft(done.opened, 'streams opened').toBeGreaterThan(MINUTES * 60 * OPENED_A_SECOND * 0.5)
    expect.soft(after.heap / before.heap - 1, 'growth of the heap').toBeLessThanOrEqual(MOST_GROWTH)
  })
}
