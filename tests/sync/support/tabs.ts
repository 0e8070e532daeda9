import { randomBytes, randomUUID } from 'node:crypto'
import { IDBFactory } from 'fake-indexeddb'
import type { CommandContext } from '../../../src/db/command'
import { LocalDatabase } from '../../../src/db/database'
import { DATABASE_VERSION } from '../../../src/db/first-rows'
import { ensureIdentity } from '../../../src/db/identity'
import type { SessionRow } from '../../../src/db/rows'
import type { OwnerId } from '../../../src/domain/ids'
import { createEngine, type Engine } from '../../../src/sync/engine'
import type { EngineEnv } from '../../../src/sync/env'
import type { Market } from '../../../server/services/market/market'
import type { TestApp } from '../../server/support/test-app'
import { createActivity } from './activity'
import { fakeLocks } from './fake-locks'
import { mortalDatabase, type MortalDatabase } from './mortal-database'

/** A request on its way to the server. */
export interface Sent {
  readonly method: string
  /** Below the API's base, such as `/widgets`. */
  readonly path: string
  /** Whom its headers name: a guest's id, an access token, or nobody. */
  readonly as: string | null
  readonly body: string | null
}

/**
 * The fate of a request: it arrives, its answer may get lost, or a proxy in between answers. The test's work in here
 * happens while the request is under way.
 */
export type Fate = 'arrives' | 'lost-request' | 'lost-answer' | Response
export type Way = (sent: Sent, arrive: () => Promise<void>) => Fate | Promise<Fate>

/** One tab, or the service worker: its own connection to the browser's database, and its own engine. */
export interface Tab extends MortalDatabase {
  readonly engine: Engine
  readonly env: EngineEnv
  readonly context: CommandContext
}

/** One browser before the real server, whose network a test steers and whose clock may be wrong. */
export interface TabsBrowser {
  readonly guest: OwnerId
  readonly open: () => Tab
  /** A tab is gone: its requests never end, and its locks are free. */
  readonly kill: (tab: Tab) => void
  /** Every request goes this way from now on. */
  readonly setWay: (way: Way) => void
  readonly sent: readonly Sent[]
  /** Milliseconds by which the browser's clock is wrong. */
  readonly setClockError: (ms: number) => void
  readonly session: () => Promise<SessionRow>
  /** Opens the database as a page of the next version does, which adds a table and writes each row anew. */
  readonly upgrade: () => Promise<void>
  readonly close: () => void
}

let browsers = 0

/** Below the API's base, or at the market's own address. */
const PRICES = /^\/(coins\/[^/]+\/historical|market\/daily|api\/v3\/simple\/price)$/

/** @param options.market whether prices, histories and closes are served too, or are out of reach */
export async function startTabs(server: TestApp<Market>, { market = true } = {}): Promise<TabsBrowser> {
  const name = `tabs-${browsers++}`
  const factory = new IDBFactory()
  const activity = createActivity()
  const locks = fakeLocks()
  const tabs = new Map<Tab, string>()
  const sent: Sent[] = []
  let clockError = 0
  let way: Way = () => 'arrives'
  const now = (): number => server.clock() + clockError

  const request = async (href: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(href)
    const headers = init.headers as Record<string, string>
    const as = headers['X-Anonymous-User-ID'] ?? headers['Authorization']?.slice('Bearer '.length) ?? null
    const body = typeof init.body === 'string' ? init.body : null
    const one: Sent = { method: init.method ?? 'GET', path: pathname.replace('/api/v1', ''), as, body }
    sent.push(one)
    if (!market && PRICES.test(one.path)) throw new TypeError('Failed to fetch')
    let answer: Response | undefined
    const arrive = async (): Promise<void> => {
      if (answer !== undefined) return
      const {
        statusCode,
        headers: given,
        rawPayload,
      } = await server.app.inject({
        method: one.method as 'GET',
        url: pathname + search,
        headers,
        ...(body !== null && { payload: body }),
      })
      // Node's own clock is not the test's.
      const dated = { ...given, date: new Date(server.clock()).toUTCString() }
      const flat = Object.entries(dated).map(([key, value]): [string, string] => [key, String(value)])
      answer = new Response([204, 304].includes(statusCode) ? null : new Uint8Array(rawPayload), {
        status: statusCode,
        headers: flat,
      })
    }
    const fate = await way(one, arrive)
    if (fate instanceof Response) return fate
    if (fate !== 'lost-request') await arrive()
    if (fate !== 'arrives') throw new TypeError('Failed to fetch')
    return answer!
  }

  const open = (): Tab => {
    const id = `${name}-${randomUUID()}`
    const database = mortalDatabase(name, factory, activity)
    let alive = true
    const env: EngineEnv = {
      db: database.db,
      now,
      random: () => 0.5,
      token: randomUUID,
      locks: locks.forContext(id),
      timer: () => () => undefined,
      origin: 'http://localhost',
      async fetch(url, init) {
        const response = await request(url, init)
        return alive ? response : new Promise<never>(() => undefined)
      },
    }
    const tab: Tab = {
      ...database,
      env,
      engine: createEngine(env),
      context: { db: database.db, now, uuid: randomUUID },
      kill: () => {
        alive = false
        database.kill()
      },
    }
    tabs.set(tab, id)
    return tab
  }
  const kill = (tab: Tab): void => {
    tab.kill()
    locks.release(tabs.get(tab)!)
  }

  const first = open()
  const guest = await ensureIdentity(first.context, randomBytes(24))
  return {
    guest,
    open,
    kill,
    setWay: (next) => {
      way = next
    },
    sent,
    setClockError: (ms) => {
      clockError = ms
    },
    async upgrade() {
      const next = new LocalDatabase(name, { indexedDB: factory, IDBKeyRange: globalThis.IDBKeyRange })
      next
        .version(DATABASE_VERSION + 1)
        .stores({ of_the_next_version: 'key' })
        .upgrade(async (tx) => {
          for (const table of [tx.table('outbox'), tx.table('widgets'), tx.table('ids'), tx.table('owners')]) {
            await table.toCollection().modify((row: { seen?: true }) => void (row.seen = true))
          }
        })
      await next.open()
      next.close()
    },
    session: async () => (await first.db.session.get('current'))!,
    close: () => [...tabs.keys()].forEach((tab) => tab.kill()),
  }
}
