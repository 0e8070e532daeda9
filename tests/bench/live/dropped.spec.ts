import { expect, test } from 'playwright/test'
import { table } from '../support/table'
import { newIdentity, offeredCoins } from './support/guests'
import { loadAverage } from './support/machine'
import { cleanUp, ENGINES, newStorage, startMeasured } from './support/measured-server'
import { startReturningClients } from './support/stream-clients'

const STREAMS = Number(process.env.STREAMS ?? 1_000)
const OPENED_A_SECOND = 180
/**
 * Below the ports that systems give to clients: one of a thousand that look for a server that is gone would get its port,
 * be connected with itself, and keep the next server from listening.
 */
const PORT = 20_000 + (process.pid % 10_000)
/** Connections that the server meets in any second. */
const MOST_CONNECTS = 200
/** Milliseconds until all streams are open again: after a cut, and after a server that has begun anew is ready. */
const BACK_AFTER_CUT = 10_000
const BACK_AFTER_START = 30_000

test.afterEach(cleanUp)

/** The most of these moments (milliseconds) that lie within one second. */
function mostInASecond(moments: readonly number[]): number {
  const sorted = moments.toSorted((one, other) => one - other)
  let [first, most] = [0, 0]
  for (const [index, moment] of sorted.entries()) {
    while (moment - (sorted[first] ?? moment) >= 1000) first += 1
    most = Math.max(most, index - first + 1)
  }
  return most
}

for (const engine of ENGINES) {
  test(`${STREAMS} streams that are lost in one moment come back, at most ${MOST_CONNECTS} a second, on ${engine}`, async () => {
    const storage = await newStorage(engine)
    const first = await startMeasured(storage, {}, PORT)
    const { origin } = first
    const coins = (await offeredCoins(origin)).slice(0, 8).toSorted().join(',')
    const path = `/api/v1/stream?coins=${coins}`
    const streams = Array.from({ length: STREAMS }, () => ({ path, headers: newIdentity() }))
    const clients = startReturningClients()
    /** Waits until all are open, and for so long that a further loss counts as the first. @returns what happened until then */
    const whenAllAreOpen = async () => {
      const [connected, opened]: [number[], number[]] = [[], []]
      let [refused, missed] = [0, 0]
      await expect
        .poll(
          async () => {
            const report = await clients.ask({ kind: 'report' })
            connected.push(...report.connected)
            opened.push(...report.opened)
            refused += report.refused
            missed += report.missed
            // Streams that are about to be lost are still counted as open.
            return opened.length < STREAMS ? 0 : report.open
          },
          { timeout: 180_000, intervals: [250], message: 'streams that are open again' },
        )
        .toBe(STREAMS)
      const last = Math.max(...opened)
      await expect.poll(() => Date.now() - last, { timeout: 30_000 }).toBeGreaterThan(11_000)
      return { connected, refused, missed, last }
    }
    await clients.ask({ kind: 'keep', origin, streams, perSecond: OPENED_A_SECOND })
    await whenAllAreOpen()

    const rows: string[][] = []
    /** @param lose loses all streams; returns the moment since which they can come back */
    const measure = async (name: string, lose: () => Promise<number>, bound: number) => {
      const since = await lose()
      const { connected, refused, missed, last } = await whenAllAreOpen()
      const most = mostInASecond(connected)
      const back = `${((last - since) / 1000).toFixed(1)} s`
      rows.push([name, String(most), String(MOST_CONNECTS), String(refused), String(missed), back, `${bound / 1000} s`])
      expect.soft(most, `${name}: connections in a second`).toBeLessThanOrEqual(MOST_CONNECTS)
      expect.soft(last - since, `${name}: milliseconds until all were back`).toBeLessThanOrEqual(bound)
    }
    let server = first
    const replace = (signal: 'SIGKILL' | 'SIGTERM') => async () => {
      await server.process.end(signal)
      server = await startMeasured(storage, {}, PORT)
      return Date.now()
    }
    const cut = async () => {
      await clients.ask({ kind: 'cut' })
      return Date.now()
    }
    await measure('all connections cut', cut, BACK_AFTER_CUT)
    await measure('server killed and started', replace('SIGKILL'), BACK_AFTER_START)
    await measure('server ended with SIGTERM and started', replace('SIGTERM'), BACK_AFTER_START)

    console.log(`\n${STREAMS} streams lost in one moment, ${engine}, ${loadAverage()}:`)
    console.log(table(['', 'most a second', 'bound', 'refused', 'met no server', 'all back', 'bound'], rows))
  })
}
