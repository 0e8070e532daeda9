import { render } from '@testing-library/react'
import { liveQuery } from 'dexie'
import { createStore, Provider } from 'jotai'
import type { ReactNode } from 'react'
import { startLiveFeeds } from '../../../src/app/live-feeds'
import { followSettings } from '../../../src/app/open-local-database'
import type { Coin } from '../../../src/contract/market'
import type { User } from '../../../src/contract/session'
import { showStored, startFeedsAtom } from '../../../src/state/live-data'
import { widgetId } from '../../../src/contract/scalars'
import type { CallFailure, CallInput, CallResult, CallRoute, CallValue } from '../../../src/db/call'
import type { AccountView } from '../../../src/db/account'
import { ensureIdentity, readAccountView } from '../../../src/db/identity'
import { LocalDatabase, writeMeta } from '../../../src/db/database'
import type { WidgetRow } from '../../../src/db/rows'
import type { CheckpointId, CoinId, OwnerId, WidgetId } from '../../../src/domain/ids'
import type { SyncReason } from '../../../src/domain/sync-reason'
import { accountAtom } from '../../../src/state/account'
import { localNoticesAtom } from '../../../src/state/toasts'
import type { PushClient, PushResult } from '../../../src/state/push'
import { loadCommands } from '../../../src/state/use-command'
import { type Services, ServicesContext, type Store } from '../../../src/state/services'
import { reportMissingChunkAtom } from '../../../src/state/toasts'
import { CloseMissing } from '../../../src/ui/late-component'
import type { PairSummary, WorkerApi } from '../../../workers/api'
import { pricesRow } from '../../support/price-row'
import { widgetRow } from '../../support/widget-row'
import { atEnd } from './end-test'

type PageCall = { readonly route: CallRoute } & Readonly<Record<string, unknown>>

/** Calls that are answered with success unless a test says otherwise. */
const ABOUT_ACCOUNTS: readonly CallRoute[] = [
  'logIn',
  'secondFactor',
  'googleCallback',
  'register',
  'verifyEmail',
  'resendVerification',
  'requestPasswordReset',
  'resetPassword',
  'changePassword',
  'acceptPolicies',
  'deleteMe',
  'deleteMeOauth',
  'deleteMyData',
  'feedback',
  'me',
  'currentPolicies',
  'subscribePush',
  'unsubscribePush',
]
const DONE: CallResult = { ok: true, value: { message: '' } }

/** A page on a database of its own, as a guest; what the service worker and the server would write is seeded. */
export interface LocalApp {
  readonly db: LocalDatabase
  readonly services: Services
  readonly store: Store
  /** The reasons for which the page has asked for a sync. */
  readonly syncs: SyncReason[]
  /** The page's calls to the server, in order: each one's route beside the fields of its input. */
  readonly calls: PageCall[]
  /** Answers the calls of a route; until then see `answerCalls`. */
  answerCall<R extends CallRoute>(
    route: R,
    answer: (input: CallInput<R>) => CallResult<CallValue<R>> | Promise<CallResult<CallValue<R>>>,
  ): void
  /**
   * Answers the calls about accounts and push for which no other answer is given; they succeed until then. Nothing answers
   * the others.
   */
  answerCalls(answer: (call: PageCall) => CallResult | Promise<CallResult>): void
  /** The page's calls to the browser's notifications, each answered as `answerPush` last set, else with success. */
  readonly pushed: (keyof PushClient)[]
  answerPush(answer: () => PushResult | Promise<PushResult>): void
  /** Moves the page's clock. */
  setNow(now: number): void
  render(ui: ReactNode): ReturnType<typeof render>
}

export const START = Date.UTC(2026, 10, 21, 12)
const POLICY_VERSION = '2026-11-21'

const quietWorker: WorkerApi = {
  chart: () => Promise.resolve({ kind: 'empty' }),
  csv: () => Promise.resolve(new Blob()),
  summaries: () => Promise.resolve([]),
  radar: () => Promise.resolve({ kind: 'none' }),
  chance: () => Promise.resolve(null),
  pairReport: () => Promise.resolve(null),
  ratioHistory: () => Promise.resolve(null),
  walk: () => Promise.resolve(null),
  walkPairs: () => Promise.resolve({ pairs: 0, days: 0, median: null, above: NaN }),
  aggregate: () => Promise.resolve(),
}

/** A failed call as the engine hands it over. */
export const refused = (status: number, error_code: CallFailure['error_code'] = null, message = ''): CallFailure => ({
  ok: false,
  status,
  error_code,
  message,
})

const NOTHING_ANSWERS = refused(0, null, 'Nothing answers.')

export async function startLocalApp(worker: Partial<WorkerApi> = {}): Promise<LocalApp> {
  const db = new LocalDatabase(`ui-test-${crypto.randomUUID()}`)
  let now = START
  const syncs: SyncReason[] = []
  const calls: PageCall[] = []
  let answerOther: Parameters<LocalApp['answerCalls']>[0] = () => DONE
  const answers = new Map<CallRoute, (input: never) => unknown>()
  const pushed: (keyof PushClient)[] = []
  let answerPush: Parameters<LocalApp['answerPush']>[0] = () => ({ ok: true })
  const askPush = (what: keyof PushClient) => async () => {
    pushed.push(what)
    return answerPush()
  }
  const store = createStore()
  const services: Services = {
    commands: { db, now: () => now, uuid: () => crypto.randomUUID(), onStored: (rows) => showStored(store, rows) },
    open: async () => undefined,
    engine: {
      requestSync: (reason) => void syncs.push(reason),
      call: async <R extends CallRoute>(route: R, input: CallInput<R>) => {
        const call: PageCall = { route, ...input }
        calls.push(call)
        const answer = answers.get(route) as ((input: CallInput<R>) => unknown) | undefined
        const result = answer?.(input) ?? (ABOUT_ACCOUNTS.includes(route) ? answerOther(call) : NOTHING_ANSWERS)
        return result as CallResult<CallValue<R>>
      },
    },
    push: { enable: askPush('enable'), disable: askPush('disable') },
    worker: () => ({ ...quietWorker, ...worker }),
  }
  await ensureIdentity(services.commands, crypto.getRandomValues(new Uint8Array(24)))
  const account = liveQuery(() => readAccountView(db)).subscribe((view) => store.set(accountAtom, view))
  followSettings(store, db)
  store.set(startFeedsAtom, { start: () => startLiveFeeds(store, services) })
  atEnd(async () => {
    account.unsubscribe()
    // A command that has begun ends before its database does.
    await loadCommands()
    if (db.isOpen()) await db.outbox.delete(-1)
    await db.delete()
  })
  return {
    db,
    services,
    store,
    syncs,
    calls,
    answerCall: (route, answer) => void answers.set(route, answer),
    answerCalls: (next) => {
      answerOther = next
    },
    pushed,
    answerPush: (next) => {
      answerPush = next
    },
    setNow: (next) => {
      now = next
    },
    render: (ui) =>
      render(ui, {
        wrapper: ({ children }) => (
          <Provider store={store}>
            <ServicesContext value={services}>
              <CloseMissing value={(close) => store.set(reportMissingChunkAtom, close)}>{children}</CloseMissing>
            </ServicesContext>
          </Provider>
        ),
      }),
  }
}

/** The toasts that the page has. */
export const noticesOf = (app: LocalApp) => app.store.get(localNoticesAtom)

/** Coins `coin-0`, `coin-1`, … with symbols C0, C1, …; the first two are bitcoin and ethereum. */
export const coinNumber = (index: number): Coin => {
  const known = [
    ['bitcoin', 'btc', 'Bitcoin'],
    ['ethereum', 'eth', 'Ethereum'],
  ][index]
  const [id = `coin-${index}`, symbol = `c${index}`, name = `Coin ${index}`] = known ?? []
  return { id: id as CoinId, symbol, name, image: null, current_price: null, market_cap_rank: index + 1 }
}

export const seedCoins = (app: LocalApp, count: number) =>
  writeMeta(app.db, 'coins', {
    coins: Array.from({ length: count }, (_, index) => coinNumber(index)),
    fetched_at: START,
    etag: null,
  })

export const seedLimit = (app: LocalApp, maxWidgets: number) => {
  const limits = { max_widgets: maxWidgets, max_checkpoints_per_widget: 1 }
  return writeMeta(app.db, 'tier_limits', { limits: { free: limits, premium: limits }, fetched_at: START })
}

/** Signs a user in, as a login would; limits are premium's twenty checkpoints a pair, else one. */
export async function signIn(
  app: LocalApp,
  { premium = true, hasPassword = true, accepted = true, superuser = false } = {},
): Promise<OwnerId> {
  const session = await app.db.session.get('current')
  if (session === undefined) throw new Error('no identity')
  const id = crypto.randomUUID()
  const user = {
    id,
    email: 'ada@example.com',
    has_premium_access: premium,
    is_superuser: superuser,
    is_active: true,
    has_password: hasPassword,
    created_at: new Date(START).toISOString(),
    accepted_terms_version: accepted ? POLICY_VERSION : null,
    accepted_terms_at: accepted ? new Date(START).toISOString() : null,
    accepted_privacy_version: accepted ? POLICY_VERSION : null,
    accepted_privacy_at: accepted ? new Date(START).toISOString() : null,
    deletion_scheduled_at: null,
  }
  const owner = id as unknown as OwnerId
  await app.db.session.put({ ...session, owner, tokens: { access: 'access', refresh: 'refresh' }, user })
  await writeMeta(app.db, 'tier_limits', {
    limits: {
      free: { max_widgets: 5, max_checkpoints_per_widget: 1 },
      premium: { max_widgets: 50, max_checkpoints_per_widget: 20 },
    },
    fetched_at: START,
  })
  await untilAccount(app, (view) => view.user?.id === id)
  return owner
}

/** Resolves when the screen knows the account that the local database has: its arrival closes dialogs opened before it. */
const untilAccount = (app: LocalApp, isKnown: (view: AccountView) => boolean): Promise<void> =>
  new Promise((resolve) => {
    let stop = () => undefined as void
    const look = () => {
      const view = app.store.get(accountAtom)
      if (view === undefined || !isKnown(view)) return
      stop()
      resolve()
    }
    stop = app.store.sub(accountAtom, look)
    look()
  })

/** Stores what an answer of the server says anew of the user who is signed in. */
export async function changeUser(app: LocalApp, values: Partial<User>): Promise<void> {
  const session = await app.db.session.get('current')
  if (session?.user == null) throw new Error('nobody is signed in')
  await app.db.session.put({ ...session, user: { ...session.user, ...values } })
}

/** Stores the rows of an account refresh: the user has bought Premium, or lost it. */
export async function setPremium(app: LocalApp, has_premium_access: boolean): Promise<void> {
  await changeUser(app, { has_premium_access })
  await untilAccount(app, (view) => view.user?.has_premium_access === has_premium_access)
}

/** Stores a pull's checkpoints of a pair: these ratios in this order, an hour apart, the last newest. */
export async function seedCheckpoints(
  app: LocalApp,
  widget: WidgetId,
  ratios: readonly number[],
  defaultIndex = 0,
): Promise<CheckpointId[]> {
  const session = await app.db.session.get('current')
  const { owner, user } = session!
  const rows = ratios.map((ratio, index) => ({
    id: crypto.randomUUID() as unknown as CheckpointId,
    owner,
    widget_id: widget,
    ratio,
    timestamp: new Date(START - (ratios.length - index) * 3_600_000).toISOString(),
    is_default: index === defaultIndex,
    display_order: index,
    created_at: new Date(START).toISOString(),
    user_id: user?.id ?? null,
    created_by_op: null,
  }))
  await app.db.checkpoints.bulkPut(rows)
  return rows.map((row) => row.id)
}

/**
 * Stores what a pull would have stored: these pairs of coin numbers in this order, each with these values. Of a number of
 * pairs the first is 0 / 1, the second 2 / 3, and so on.
 */
export async function seedWidgets(
  app: LocalApp,
  pairs: number | readonly (readonly [number, number])[],
  values: Partial<WidgetRow> = {},
): Promise<WidgetId[]> {
  const session = await app.db.session.get('current')
  if (session === undefined) throw new Error('no identity')
  const { owner } = session
  const numbers =
    typeof pairs === 'number' ? Array.from({ length: pairs }, (_, pair) => [2 * pair, 2 * pair + 1] as const) : pairs
  const rows = numbers.map(([a, b], index) =>
    widgetRow({
      owner,
      id: widgetId.parse(crypto.randomUUID()),
      display_order: index,
      coin_a_id: coinNumber(a).id,
      coin_b_id: coinNumber(b).id,
      ...values,
    }),
  )
  await app.db.transaction('rw', app.db.widgets, app.db.owners, async () => {
    await app.db.widgets.bulkPut(rows)
    await app.db.owners.put({ owner, applied_rev: 1, pulled_at: START, paused: false, needs_pull: false })
  })
  return rows.map((row) => row.id)
}

/** Stores a poll's prices, by coin number. */
export const seedPrices = (app: LocalApp, prices: Readonly<Record<number, number>>, at = START) =>
  app.db.prices.put(
    pricesRow(
      Object.fromEntries(Object.entries(prices).map(([index, usd]) => [coinNumber(Number(index)).id, usd])),
      at,
    ),
  )

export const summaryOf = (a: number, b: number, values: Partial<PairSummary> = {}): PairSummary => ({
  coinA: coinNumber(a).id,
  coinB: coinNumber(b).id,
  change24h: 0.0123,
  trend: 2,
  sparkTimes: Float64Array.of(START - 3_600_000, START - 1_800_000, START),
  spark: Float64Array.of(1, 3, 2),
  standing: null,
  closesAge: null,
  ...values,
})
