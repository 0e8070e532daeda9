import { expect, test } from 'playwright/test'
import { bundledProgram } from '../../server/support/program-files'
import { median } from '../support/statistics'
import { ms, table } from '../support/table'
import { makeGuests } from './support/guests'
import { startInspected } from './support/inspected-process'
import { loadAverage } from './support/machine'
import { cleanUp, ENGINES, newStorage, startMeasured } from './support/measured-server'
import { BROWSER_HEADERS, load, type MeasuredLoad } from './support/request-load'

const GUESTS = 300
/** Each of the servers in turn, so that what else the machine does meets all of them. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = 4
/** The share of the bare handler's requests a second that ours is to reach: with the list, and with 304. */
const LEAST_OF_BARE = 0.7
const LEAST_OF_BARE_304 = 0.85

test.afterEach(cleanUp)
test.skip(!ENGINES.includes('PostgreSQL'), 'TEST_DATABASE_URL names no PostgreSQL server')

test('GET /widgets answers at least 0.7 times as many requests a second as a bare handler with the same named statement, with 304 at least 0.85 times', async () => {
  const storage = await newStorage('PostgreSQL')
  const ours = await startMeasured(storage)
  const program = bundledProgram('tests/bench/live/programs/bare-widgets.ts')
  const { process: bareProcess, found } = await startInspected(
    [program],
    { DATABASE_URL: storage.url },
    /Ready at (\S+)\n/,
  )
  const bare = { origin: found[1] ?? '', process: bareProcess }
  const guests = await makeGuests(ours.origin, GUESTS)

  const path = '/api/v1/widgets'
  const [first] = guests
  const answers = [ours, bare].map(async ({ origin }) => (await fetch(origin + path, first)).json())
  const [list, rows] = (await Promise.all(answers)) as [{ id: string }[], unknown[][]]
  expect(list.map(({ id }) => rows.some((row) => row.includes(id)))).toEqual(first?.widgets.map(() => true))
  const requests = guests.map(({ headers }) => ({ path, headers: { ...BROWSER_HEADERS, ...headers } }))
  const known = []
  for (const request of requests) {
    const tag = (await fetch(ours.origin + path, request)).headers.get('etag') ?? ''
    known.push({ path, headers: { ...request.headers, 'if-none-match': tag } })
  }
  const contenders = [
    { name: 'ours', server: ours, requests },
    { name: 'bare handler', server: bare, requests },
    { name: 'ours, 304', server: ours, requests: known },
    { name: 'bare handler, 304', server: bare, requests: known },
  ]
  for (const connections of [10, 50]) {
    const seen = contenders.map(({ name }) => ({ name, loads: [] as MeasuredLoad[] }))
    for (const { server, requests } of contenders)
      await load(server.process, { origin: server.origin, connections, seconds: 2, requests })
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, { server, requests }] of contenders.entries())
        seen[index]!.loads.push(
          await load(server.process, { origin: server.origin, connections, seconds: SECONDS, requests }),
        )
    const perSecond = (index: number) => median(seen[index]!.loads.map((each) => each.perSecond))
    const rows = seen.map(({ name, loads }, index) => [
      name,
      perSecond(index).toFixed(0),
      (perSecond(index) / perSecond(index | 1)).toFixed(2),
      ...(['p50', 'p99', 'cpu'] as const).map((figure) => ms(median(loads.map((each) => each[figure])))),
      median(loads.map(({ bytes }) => bytes)).toFixed(0),
      [...new Set(loads.flatMap(({ statuses }) => Object.keys(statuses)))].join(' '),
    ])
    console.log(
      `\nGET /widgets of ${GUESTS} guests, ${connections} connections, PostgreSQL, medians of ${ROUNDS} rounds of ${SECONDS} s in turn, ${loadAverage()}:`,
    )
    const heading = ['', 'requests/s', '× bare', 'p50 ms', 'p99 ms', 'CPU ms', 'bytes', 'status']
    console.log(table(heading, rows))
    expect.soft(perSecond(0) / perSecond(1), 'times the bare handler').toBeGreaterThanOrEqual(LEAST_OF_BARE)
    expect.soft(perSecond(2) / perSecond(3), 'times, with 304').toBeGreaterThanOrEqual(LEAST_OF_BARE_304)
  }
})
