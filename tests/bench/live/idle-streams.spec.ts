import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'playwright/test'
import { table } from '../support/table'
import { seeded } from '../../server/support/seeded'
import { makeGuests, offeredCoins } from './support/guests'
import { loadAverage } from './support/machine'
import { cleanUp, ENGINES, newStorage, startMeasured } from './support/measured-server'
import { startStreamClients } from './support/stream-clients'

const STREAMS = Number(process.env.STREAMS ?? 10_000)
/** Each stream asks for the coins of five pairs, so that nearly each has a set of its own. */
const COINS = 8
const SECONDS = Number(process.env.STREAM_SECONDS ?? 60)
/** The server opens at most 200 a second. */
const OPENED_A_SECOND = 180
const MOST_MEMORY = 30_000
/** Of a core. */
const MOST_CPU = 0.1

test.afterEach(cleanUp)

for (const engine of ENGINES) {
  test(`${STREAMS} idle streams take at most 30 kB each, and 10 % of a core with a price event a second, on ${engine}`, async () => {
    const storage = await newStorage(engine)
    const { origin, process } = await startMeasured(storage, { PRICE_POLL_SECONDS: '1' })
    const guests = await makeGuests(origin, STREAMS, 1)
    const offered = await offeredCoins(origin)
    const random = seeded(7)
    const some = () => offered.map((id) => ({ id, at: random() })).toSorted((one, other) => one.at - other.at)
    const streams = guests.map(({ headers }) => {
      const ids = some().slice(0, COINS)
      return {
        path: `/api/v1/stream?coins=${ids
          .map(({ id }) => id)
          .toSorted()
          .join(',')}`,
        headers,
      }
    })
    const clients = startStreamClients()
    // The first ones make what there is once for all streams.
    await clients.ask({ kind: 'open', origin, streams: streams.slice(0, 10), perSecond: OPENED_A_SECOND })

    const measure = async () => {
      await process.collectGarbage()
      return process.use()
    }
    /** Processor time by the second, while nothing else is asked of the server. */
    const cpuOf = async (seconds: number) => {
      const [before, begun] = [await process.use(), performance.now()]
      await sleep(seconds * 1000)
      const after = await process.use()
      return (after.cpu - before.cpu) / (performance.now() - begun)
    }
    const empty = await measure()
    const emptyCpu = await cpuOf(20)
    await clients.ask({ kind: 'open', origin, streams: streams.slice(10), perSecond: OPENED_A_SECOND })
    await cpuOf(5)
    const full = await measure()
    await clients.ask({ kind: 'report' })
    const cpu = await cpuOf(SECONDS)
    const report = await clients.ask({ kind: 'report' })
    const late = await measure()

    const each = (bytes: number) => bytes / (STREAMS - 10)
    const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
    const perStream = report.prices / report.open / SECONDS
    console.log(
      `\n${report.open} streams of ${COINS} coins each, ${engine}, ${SECONDS} s after all were open, garbage collected, ${loadAverage()}:`,
    )
    const rows = [
      ['process memory (RSS) a stream', kB(each(full.rss - empty.rss)), kB(MOST_MEMORY)],
      ['heap a stream', kB(each(full.heap - empty.heap)), ''],
      [`heap a stream, ${SECONDS} s later`, kB(each(late.heap - empty.heap)), ''],
      ['heap without streams', `${(empty.heap / 1e6).toFixed(1)} MB`, ''],
      ['of a core, 10 streams', `${(100 * emptyCpu).toFixed(1)} %`, ''],
      ['of a core, all streams', `${(100 * cpu).toFixed(1)} %`, `${100 * MOST_CPU} %`],
      ['price events a stream and second', perStream.toFixed(2), ''],
      [
        'from the event’s time to the client, p50 / p99 / worst',
        `${report.delay.p50} / ${report.delay.p99} / ${report.delay.max} ms`,
        '',
      ],
      ['streams that the server ended', String(report.ended), '0'],
    ]
    console.log(table(['', '', 'bound'], rows))
    expect.soft(report.ended, 'streams that the server ended').toBe(0)
    expect.soft(perStream, 'price events a stream and second, of one that is stored').toBeGreaterThan(0.5)
    expect.soft(each(full.rss - empty.rss), 'bytes a stream').toBeLessThanOrEqual(MOST_MEMORY)
    expect.soft(cpu, 'of a core').toBeLessThanOrEqual(MOST_CPU)
  })
}
