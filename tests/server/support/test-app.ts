import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../../server/app'
import type { AppDeps } from '../../../server/app-deps'
import { type Env, loadEnv } from '../../../server/env'
import { createLive, type Live } from '../../../server/services/live/live'
import type { Market } from '../../../server/services/market/market'
import { readPolicies } from '../../../server/services/policies/policies'
import { vapidOf } from '../../../server/services/push/vapid-keys'
import { accessTokenKey } from '../../../server/services/sessions/access-token'
import { anonymousId } from '../../../src/domain/ids'
import { type FakeMarket, fakeMarket } from './fake-market'
import { testProgramFiles } from './program-files'
import { freshDatabase, type TestDatabase } from './test-database'
import { TEST_VAPID } from './test-vapid'

/** The time at which a test's clock begins. */
export const START = Date.UTC(2026, 0, 15, 12)

const TEST_SECRET = 'a secret that signs the access tokens of tests'

export interface TestClock {
  (): number
  advance(milliseconds: number): void
}

export interface TestApp<M extends Market = FakeMarket> {
  readonly app: FastifyInstance
  readonly database: TestDatabase
  readonly env: Env
  readonly market: M
  readonly live: Live
  readonly clock: TestClock
  /** Removes everybody's data. */
  reset(): Promise<void>
  close(): Promise<void>
}

interface Options<M extends Market> {
  readonly market?: M
  readonly env?: Readonly<Record<string, string>>
  /** Shared by several apps of one test; then `close` leaves it open. */
  readonly database?: TestDatabase
  readonly deps?: Partial<AppDeps>
}

/** The real app on a fresh database, asked by `app.inject` or, after `app.listen`, over the network. */
export async function testApp(options?: Options<FakeMarket>): Promise<TestApp>
export async function testApp<M extends Market>(options: Options<M> & { readonly market: M }): Promise<TestApp<M>>
export async function testApp(options: Options<Market> = {}): Promise<TestApp<Market>> {
  const env = loadEnv({
    RATE_LIMIT_FACTOR: '1000000',
    MARKET_DATA: 'simulated',
    JWT_SECRET: TEST_SECRET,
    ...TEST_VAPID,
    ...options.env,
  })
  const database = options.database ?? (await freshDatabase())
  const clock = testClock()
  const market = options.market ?? fakeMarket(clock)
  const policies = readPolicies(testProgramFiles().policies)
  const live = createLive({ env, database, market, policies, clock })
  const app = await buildApp({
    env,
    database,
    market,
    policies,
    live,
    google: null,
    payments: null,
    sandbox: null,
    vapid: vapidOf(env),
    clock,
    tokenKey: accessTokenKey(env),
    ...options.deps,
  })
  const close = async () => {
    await app.close()
    if (options.database === undefined) await database.close()
  }
  return { app, database, env, market, live, clock, reset: () => database.reset(), close }
}

export function testClock(start = START): TestClock {
  let now = start
  const clock = () => now
  return Object.assign(clock, {
    advance: (milliseconds: number) => {
      now += milliseconds
    },
  })
}

/** A new guest's identity, as its browser makes it. */
export const newGuest = (): string => anonymousId(START, randomBytes(24))
