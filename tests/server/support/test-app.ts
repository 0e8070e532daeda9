import { buildApp } from '../../../server/app'
import type { AppDeps } from '../../../server/app-deps'
import { loadEnv } from '../../../server/env'
import { type ChannelSender, channelSender } from '../../../server/services/channels/send'
import { createLive, type Live } from '../../../server/services/live/live'
import type { Market } from '../../../server/services/market/market'
import { readPolicies } from '../../../server/services/policies/policies'
import { vapidOf } from '../../../server/services/push/vapid-keys'
import { accessTokenKey } from '../../../server/services/sessions/access-token'
import { type Accounts, accounts } from './accounts'
import { type Operator, operator } from './admin'
import { type FakeMarket, fakeMarket } from './fake-market'
import { type Guest, guest } from './guest'
import { testProgramFiles } from './program-files'
import type { RunningApp } from './person'
import { testClock, type TestClock } from './test-clock'
import { freshDatabase, type TestDatabase } from './test-database'
import { TEST_VAPID } from './test-vapid'
import type { NewUser } from './new-user'
import { type User, user } from './user'

const TEST_SECRET = 'a secret that signs the access tokens of tests'

export interface TestApp<M extends Market = FakeMarket> extends RunningApp, Accounts {
  readonly database: TestDatabase
  readonly market: M
  readonly live: Live
  readonly clock: TestClock
  readonly ways: ChannelSender
  guest(id?: string): Guest
  user(options?: NewUser): Promise<User>
  operator(email?: string): Promise<Operator>
  rows: TestDatabase['rows']
  /** Removes everybody's data. */
  reset(): Promise<void>
  close(): Promise<void>
}

export interface AppOptions<M extends Market> {
  readonly market?: M
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: TestClock
  /** Shared by several apps of one test; then `close` leaves it open. */
  readonly database?: TestDatabase
  readonly deps?: Partial<AppDeps>
}

/** The real app on a fresh database, asked by `app.inject` or, after `app.listen`, over the network. */
export async function testApp(options?: AppOptions<FakeMarket>): Promise<TestApp>
export async function testApp<M extends Market>(options: AppOptions<M> & { readonly market: M }): Promise<TestApp<M>>
export async function testApp(options: AppOptions<Market> = {}): Promise<TestApp<Market>> {
  const env = loadEnv({
    RATE_LIMIT_FACTOR: '1000000',
    MARKET_DATA: 'simulated',
    JWT_SECRET: TEST_SECRET,
    ...TEST_VAPID,
    ...options.env,
  })
  const database = options.database ?? (await freshDatabase())
  const clock = options.clock ?? testClock()
  const market = options.market ?? fakeMarket(clock)
  const policies = readPolicies(testProgramFiles().policies)
  const live = createLive({ env, database, market, policies, clock })
  const ways = options.deps?.ways ?? channelSender(env, { clock })
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
    ways,
    clock,
    tokenKey: accessTokenKey(env),
    ...options.deps,
  })
  const close = async () => {
    await app.close()
    ways.close()
    if (options.database === undefined) await database.close()
  }
  const running = { app, database, env, clock }
  return {
    ...running,
    ...accounts(running),
    market,
    live,
    ways,
    guest: (id) => guest(app, id),
    user: (made) => user(running, made),
    operator: (email) => operator(running, email),
    rows: (table, where) => database.rows(table, where),
    reset: () => database.reset(),
    close,
  }
}
