import { expect, test } from 'playwright/test'
import { PERIODS } from '../../../src/domain/chart-periods'
import { median } from '../support/statistics'
import { ms, table } from '../support/table'
import { offeredCoins } from './support/guests'
import { loadAverage } from './support/machine'
import { cleanUp, ENGINES, newStorage, startMeasured } from './support/measured-server'
import { BROWSER_HEADERS, load, type MeasuredLoad } from './support/request-load'

const COINS = 10
const CONNECTIONS = 10
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const SECONDS = 5
/** Milliseconds of the server process's processor time for a request, its embedded database included. */
const BOUNDS: Readonly<Record<string, number>> = { 'history, all periods': 0.5, 'history, 304': 0.15 }

test.afterEach(cleanUp)

for (const engine of ENGINES) {
  test(`a warm history costs the server at most 0.5 ms, and one that the client has 0.15 ms, on ${engine}`, async () => {
    const storage = await newStorage(engine)
    const { origin, process } = await startMeasured(storage)
    const coins = (await offeredCoins(origin)).slice(0, COINS)
    const paths = coins.flatMap((coin) => PERIODS.map((period) => `/api/v1/coins/${coin}/historical?period=${period}`))
    const history = paths.map((path) => ({ path, headers: BROWSER_HEADERS }))
    const held: { path: string; headers: Record<string, string> }[] = []
    for (const { path, headers } of history) {
      const etag = (await fetch(origin + path, { headers })).headers.get('etag') ?? ''
      held.push({ path, headers: { ...headers, 'if-none-match': etag } })
    }
    const prices = `/api/v3/simple/price?ids=${coins.toSorted().join(',')}&vs_currencies=usd&include_last_updated_at=true`
    const kinds = {
      'history, all periods': history,
      'history, 304': held,
      'prices of 10 coins': [{ path: prices, headers: BROWSER_HEADERS }],
      'list of coins': [{ path: '/api/v1/coins/supported', headers: BROWSER_HEADERS }],
      '/healthz': [{ path: '/healthz', headers: BROWSER_HEADERS }],
    }
    const seen = new Map<string, MeasuredLoad[]>()
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [kind, requests] of Object.entries(kinds)) {
        const measured = await load(process, { origin, connections: CONNECTIONS, seconds: SECONDS, requests })
        // The first round warms up.
        if (round > 0) seen.set(kind, [...(seen.get(kind) ?? []), measured])
      }
    const rows = [...seen].map(([kind, loads]) => [
      kind,
      ...(['cpu', 'p50', 'p99'] as const).map((figure) => ms(median(loads.map((each) => each[figure])))),
      median(loads.map((each) => each.perSecond)).toFixed(0),
      median(loads.map((each) => each.bytes)).toFixed(0),
      JSON.stringify(loads.at(-1)?.statuses),
      kind in BOUNDS ? String(BOUNDS[kind]) : '',
    ])
    console.log(
      `\nPublic answers of ${COINS} coins, ${CONNECTIONS} connections, ${engine}, medians of ${ROUNDS} rounds of ${SECONDS} s, ${loadAverage()}:`,
    )
    console.log(table(['', 'CPU ms', 'p50 ms', 'p99 ms', 'requests/s', 'bytes', 'status', 'bound'], rows))
    for (const [kind, bound] of Object.entries(BOUNDS))
      expect.soft(median((seen.get(kind) ?? []).map(({ cpu }) => cpu)), kind).toBeLessThanOrEqual(bound)
  })
}
