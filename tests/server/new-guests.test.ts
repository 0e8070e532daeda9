import { Registry } from 'prom-client'
import { afterEach, describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../src/contract/routes'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { owners } from '../../server/db/schema/users'
import { guestMetrics } from '../../server/services/guest-metrics'
import { withDatabase, withServer } from './support/for-file'
import type { Guest } from './support/guest'
import { SAVED_AT } from './support/person'
import { openStream } from './support/stream-client'
import { testApp, type TestApp } from './support/test-app'

const UUID = '7a1c1b1e-8c0e-4a53-9a7e-0e1c6f0a2b11'
const pair = (coin = 'ethereum') => ({ coin_a_id: 'bitcoin', coin_b_id: coin })
const from = (ip: string) => ({ 'x-forwarded-for': ip })

describe('what is worth no row', () => {
  const server = withServer()
  type ForGuests = { [N in RouteName]: (typeof routes)[N]['identity'] extends 'any' | 'guest' ? N : never }[RouteName]

  /** Requests of a guest who has nothing, that read, change nothing or are refused; `null`: not served here. */
  const WORTH_NOTHING: Readonly<Record<ForGuests, { readonly body?: unknown } | null>> = {
    listWidgets: {},
    listAlerts: {},
    alertSettings: {},
    saveAlertSettings: { body: { extremes: 'yes' } },
    myData: {},
    deleteMyData: {},
    createWidget: { body: pair('bitcoin') },
    updateWidget: { body: { high_threshold: null } },
    deleteWidget: {},
    reorderWidgets: { body: { ordered_ids: [UUID] } },
    createAnonymousCheckpoint: { body: { ratio: 1, timestamp: SAVED_AT } },
    deleteAnonymousCheckpoint: {},
    createRule: { body: { kind: 'move', level: 5, window: '1h' } },
    updateRule: { body: {} },
    deleteRule: {},
    subscribePush: { body: { endpoint: 'https://elsewhere.example/', expirationTime: null, keys: {} } },
    unsubscribePush: { body: { endpoint: 'https://fcm.googleapis.com/fcm/send/x' } },
    feedback: { body: { message: '' } },
    resetUserState: null,
  }

  test('an unknown guest who reads, changes nothing or is refused is not stored, whatever the route', async () => {
    for (const [name, request] of Object.entries(WORTH_NOTHING)) {
      if (request === null) continue
      const { method, path } = routes[name as ForGuests]
      const { status } = await server.guest().ask(method, path.replaceAll(/:\w+/g, UUID), request.body)
      expect([200, 204, 404, 422], name).toContain(status)
      expect(await server.database.orm.$count(owners), name).toBe(0)
    }
  })

  test('an unknown guest’s open stream stores nothing', async () => {
    const base = await server.app.listen({ host: '127.0.0.1', port: 0 })
    const stream = await openStream(base, await server.guest().identity(), { coins: 'bitcoin' })
    expect(stream.status).toBe(200)
    await stream.next('open')
    stream.close()
    expect(await server.database.orm.$count(owners)).toBe(0)
  })
})

describe('limits of new guests', () => {
  /** 300 an hour from one block become 3, 20,000 of all 200. */
  const env = { RATE_LIMIT_FACTOR: '0.01' }
  const database = withDatabase()
  const one = withServer({ database, env })
  const two = withServer({ database, env })
  afterEach(async () => {
    await database.reset()
    await database.pool.query('DELETE FROM address_counts')
  })

  const add = (me: Guest, ip: string, coin?: string) => me.ask('POST', '/widgets', pair(coin), from(ip))
  const arrive = async (app: TestApp, ip: string) => (await add(app.guest(), ip)).status
  const stored = () => database.orm.$count(owners)

  test.each([
    ['a /24 of IPv4', (n: number) => `203.0.113.${n}`, '203.0.114.1'],
    ['a /64 of IPv6', (n: number) => `2001:db8:1:1::${n}`, '2001:db8:2:1::1'],
  ])(
    'new guests of %s are counted together over two processes, and those of another are served',
    async (_block, ip, other) => {
      const statuses = []
      for (let n = 1; n <= 5; n++) statuses.push(await arrive([one, two][n % 2]!, ip(n)))
      expect(statuses).toEqual([201, 201, 201, 429, 429])
      expect([await arrive(one, other), await stored()]).toEqual([201, 4])
    },
  )

  test('beyond the limit a new guest gets 429 with Retry-After, and a guest who is known goes on', async () => {
    const known = one.guest()
    expect((await add(known, '203.0.113.1')).status).toBe(201)
    for (let n = 2; n <= 3; n++) await arrive(one, `203.0.113.${n}`)
    one.clock.advance(20 * MINUTE)
    const refused = await one.guest().ask('POST', '/widgets', pair(), from('203.0.113.4'))
    expect([refused.status, refused.headers['retry-after'], refused.body]).toMatchObject([
      429,
      String((40 * MINUTE) / 1000),
      { error_code: 'RATE_LIMITED' },
    ])
    expect((await add(known, '203.0.113.5', 'solana')).status).toBe(201)
    one.clock.advance(40 * MINUTE)
    expect(await arrive(one, '203.0.113.6')).toBe(201)
    one.clock.advance(-HOUR)
  })

  test('changes that are refused or repeated take nothing of the limit', async () => {
    const me = one.guest()
    for (let n = 0; n < 10; n++) await one.guest().ask('POST', '/widgets', pair('bitcoin'), from('203.0.113.1'))
    for (let n = 0; n < 5; n++) await add(me, '203.0.113.1')
    expect([await arrive(one, '203.0.113.2'), await arrive(one, '203.0.113.3')]).toEqual([201, 201])
  })

  test('beyond what all networks share a network has one new guest more, and /metrics says how many were made', async () => {
    const few = await testApp({ database, env: { RATE_LIMIT_FACTOR: '0.0001' } })
    const statuses = []
    for (const network of [1, 2, 3, 3, 1]) statuses.push(await arrive(few, `198.51.${network}.1`))
    expect(statuses).toEqual([201, 201, 201, 429, 429])
    const registry = new Registry()
    guestMetrics(registry, database, few.env, few.clock)
    const text = await registry.metrics()
    for (const line of [
      'guests_made{within="hour"} 3',
      'guests_made_limit{within="hour"} 2',
      'guests_made{within="day"} 3',
    ])
      expect(text).toContain(line)
    await few.close()
  })

  test('twice as many as all networks share are the most new guests of an hour, from however many networks, and a known guest goes on', async () => {
    // 40,000 become four.
    const few = await testApp({ database, env: { RATE_LIMIT_FACTOR: '0.0001' } })
    const known = few.guest()
    const statuses = [(await add(known, '2001:db8::1')).status]
    for (let n = 1; n <= 5; n++) statuses.push(await arrive(few, `2001:db8:${n}::1`))
    expect(statuses).toEqual([201, 201, 201, 201, 429, 429])
    expect((await add(known, '2001:db8:6::1', 'solana')).status).toBe(201)
    few.clock.advance(HOUR)
    expect(await arrive(few, '2001:db8:7::1')).toBe(201)
    few.clock.advance(-HOUR)
    await few.close()
  })

  test('ten new guests at once over two processes pass a limit of three exactly three times', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => arrive([one, two][n % 2]!, `203.0.113.${n}`)),
    )
    expect([statuses.filter((status) => status === 201).length, await stored()]).toEqual([3, 3])
  })
})
