import { beforeEach, expect, test } from 'vitest'
import type { AlertsAnswer } from '../../src/contract/alerts'
import { MINUTE } from '../../src/domain/granularity'
import { inTransaction } from '../../server/db/open'
import { fireAlerts } from '../../server/services/alerts/fire-alerts'
import { recordCrossing } from './support/crossings'
import { withServer } from './support/for-file'
import { key, type Person } from './support/person'
import { START } from './support/test-clock'
import { listCoins } from './support/alert-prices'

/** Crossings of a page where the request does not say how many. */
const ALERTS_PAGE_SIZE = 100

const server = withServer()
beforeEach(() => server.reset())

const alertsOf = async (person: Person, query = '') => {
  const { status, headers, body } = await person.ask<AlertsAnswer>('GET', `/alerts${query}`)
  expect(status).toBe(200)
  return { ...body, total: Number(headers['x-total-count']) }
}
const epochs = ({ alerts }: AlertsAnswer) => alerts.map(({ epoch }) => epoch)
const iso = (at: number) => new Date(at).toISOString()

test('a guest and a user each get their own crossings, newest first, those of a removed pair included', async () => {
  const [aGuest, aUser] = [server.guest(), await server.user()]
  const pairs = await Promise.all([aGuest, aUser].map((one) => one.add('bitcoin', 'ethereum')))
  const [pair] = pairs
  await recordCrossing(server.database, pair!.id, START - 3 * MINUTE, { back_at: new Date(START - MINUTE) })
  await recordCrossing(server.database, pair!.id, START - 2 * MINUTE, { side: 'low', ratio: 0, threshold: 0.5 })
  await recordCrossing(server.database, pairs[1]!.id, START, { epoch: 7 })
  await aGuest.remove(pair!.id)

  const { as_of, alerts, total } = await alertsOf(aGuest)
  expect([as_of, total]).toEqual([iso(server.clock()), 2])
  const common = { widget_id: pair!.id, coin_a_id: 'bitcoin', coin_b_id: 'ethereum', pair: 'BTC / ETH', epoch: 0 }
  expect(alerts).toEqual([
    {
      ...common,
      event_id: `${pair!.id}:low:0`,
      side: 'low',
      ratio: 0,
      threshold: 0.5,
      crossed_at: iso(START - 2 * MINUTE),
      back_at: null,
    },
    {
      ...common,
      event_id: `${pair!.id}:high:0`,
      side: 'high',
      ratio: 21.5,
      threshold: 21,
      crossed_at: iso(START - 3 * MINUTE),
      back_at: iso(START - MINUTE),
    },
  ])
  expect(epochs(await alertsOf(aUser))).toEqual([7])
})

test('a guest of whom nothing is stored has no alerts', async () => {
  expect(await alertsOf(server.guest())).toMatchObject({ alerts: [], total: 0 })
})

test('skip and limit page through the crossings, and X-Total-Count says how many there are', async () => {
  const one = server.guest()
  const { id } = await one.add('bitcoin', 'ethereum')
  const count = ALERTS_PAGE_SIZE + 5
  for (let epoch = 0; epoch < count; epoch++) {
    await recordCrossing(server.database, id, START + epoch * MINUTE, { epoch })
  }
  const first = await alertsOf(one)
  const rest = await alertsOf(one, `?skip=${ALERTS_PAGE_SIZE}`)
  expect([first.total, rest.total, first.alerts.length]).toEqual([count, count, ALERTS_PAGE_SIZE])
  expect([...epochs(first), ...epochs(rest)]).toEqual(Array.from({ length: count }, (_, n) => count - 1 - n))
  expect(epochs(await alertsOf(one, '?skip=1&limit=2'))).toEqual([count - 2, count - 3])
})

test('since an earlier answer, only crossings that fired or came back after it or within ten minutes before are listed', async () => {
  const one = server.guest()
  const { id } = await one.add('bitcoin', 'ethereum')
  const before = (minutes: number) => START - minutes * MINUTE
  await recordCrossing(server.database, id, before(60), { epoch: 0 })
  await recordCrossing(server.database, id, before(50), { epoch: 1, back_at: new Date(before(11)) })
  await recordCrossing(server.database, id, before(40), { epoch: 2, back_at: new Date(before(9)) })
  await recordCrossing(server.database, id, before(10), { epoch: 3 })
  await recordCrossing(server.database, id, before(-1), { epoch: 4 })
  const { alerts, total } = await alertsOf(one, `?since=${iso(START)}`)
  expect([alerts.map(({ epoch }) => epoch), total]).toEqual([[4, 3, 2], 3])
})

test.each(['since=yesterday', 'limit=0', 'limit=501', 'skip=-1', 'other=1'])(
  'GET /alerts refuses the query %s',
  async (query) => {
    expect((await server.guest().ask('GET', `/alerts?${query}`)).status).toBe(422)
  },
)

/** BTC / ETH of a guest, watched at 20 and 10, and price updates a minute apart. */
async function watched() {
  const one = server.guest()
  const { id } = await one.add('bitcoin', 'ethereum')
  await one.update(id, { notifications_enabled: true, high_threshold: 20, low_threshold: 10 })
  await listCoins(server.database.pool, ['bitcoin', 'ethereum'])
  const { rows } = await server.database.pool.query<{ pair_id: number }>('SELECT pair_id FROM widgets')
  let now = START
  const see = (ratio: number) =>
    inTransaction(server.database.pool, (client) =>
      fireAlerts(client, 'simulated', { pairs: [rows[0]!.pair_id], ratios: [ratio] }, (now += MINUTE)),
    )
  const listed = async () =>
    (await alertsOf(one)).alerts.map(({ side, epoch, ratio, crossed_at, back_at }) => [
      `${side} ${epoch} at ${ratio}`,
      (Date.parse(crossed_at) - START) / MINUTE,
      back_at && (Date.parse(back_at) - START) / MINUTE,
    ])
  return { one, id, see, listed }
}

test('the price update that arms a side again notes when its crossing came back, once', async () => {
  const { see, listed } = await watched()
  for (const ratio of [15, 21, 22, 20, 15, 25, 9]) await see(ratio)
  expect(await listed()).toEqual([
    ['low 0 at 9', 7, null],
    ['high 1 at 25', 6, 7],
    ['high 0 at 21', 2, 4],
  ])
})

test('a side that its owner arms again by hand leaves the crossing without a time at which it came back', async () => {
  const { one, id, see, listed } = await watched()
  await see(21)
  await one.ask('PUT', `/widgets/${id}`, { high_threshold: 25, high_threshold_active: true }, key(undefined))
  await see(15)
  expect(await listed()).toEqual([['high 0 at 21', 1, null]])
})

test('a side that is armed again only because its threshold was moved has not come back', async () => {
  const { one, id, see, listed } = await watched()
  await see(21)
  await one.update(id, { high_threshold: 30 })
  await see(22)
  expect(await listed()).toEqual([['high 0 at 21', 1, null]])
})
