import { snapshotTables } from '../db/board-rows'
import type { Call, CallInput, CallResult, CallRoute, CallValue } from '../db/call'
import { readMeta } from '../db/database'
import { isSyncReason, SYNC_REASONS, type SyncReason } from '../domain/sync-reason'
import { LONGEST_UNDO, UNDO_MARGIN } from '../domain/undo'
import { withTimeLimit } from '../domain/waits'
import { revocationsDueAt, syncAccount } from './account/sync-account'
import { performCall } from './call'
import { areClosesDue, closesDueAt, syncDailyCloses } from './daily-closes'
import { createSignal, drain, type Signal } from './drain'
import type { EngineEnv } from './env'
import { dueHistory, freshenHistory } from './history'
import { browserTimer } from './in-time'
import { forgetOutage, outboxDueAt } from './outbox-lease'
import { backoff, SHORTEST_WAIT } from './pacing'
import { arePricesDue, pricesNextDueAt, syncPrices } from './prices'
import { type EngineReply, type EngineRequest, kindOf, PROCEED, sentError, SyncFailed } from './protocol'
import { type OwedPull, pull } from './pull'
import { areCoinsDue, dueSettings, settingsDueAt, syncCoins, syncSettings } from './reference-data'
import { withReach } from './report'
import { engineRoutes } from './request'

/** The engine as its host runs it, the service worker or the web worker. */
export interface Engine {
  /**
   * Does whatever is due; resolves with the time (ms) at which something is due next, null: nothing.
   * @throws SyncFailed where a part failed, after all parts have ended
   */
  sync(reason: SyncReason): Promise<number | null>
  readonly call: Call
}

/**
 * Each part of the engine runs one at a time for all tabs, and the parts side by side, so that a slow price poll holds
 * no mutation back. The signal tells a running drain of new mutations.
 */
export function createEngine(env: EngineEnv): Engine {
  const signal = createSignal()
  const parts = [
    watchedPart(env, (heard, reason) => syncWidgets(heard, reason, signal), outboxDueAt),
    watchedPart(env, syncMarket, marketDueAt),
    watchedPart(env, syncAccount, revocationsDueAt),
  ]
  const histories = new Map<string, Promise<unknown>>()
  return {
    async sync(reason) {
      signal.notify()
      const results = await Promise.allSettled(parts.map((part) => part.sync(reason)))
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
      const times = await Promise.all(parts.map((part) => part.dueAt((error) => failures.push(error))))
      const due = times.filter((time) => time !== null)
      if (failures.length > 0) throw new SyncFailed(failures[0], Math.min(...due))
      return due.length === 0 ? null : Math.min(...due)
    },
    call<R extends CallRoute>(route: R, input: CallInput<R>) {
      const perform = () => withReach(env, (heard) => performCall(heard, route, input))
      if (route !== 'historical') return perform()
      // Charts that ask for the same history at the same time share one request.
      const key = JSON.stringify(input)
      const running = histories.get(key) ?? perform().finally(() => histories.delete(key))
      histories.set(key, running)
      return running as Promise<CallResult<CallValue<R>>>
    },
  }
}

/** Milliseconds; a change that is held for its Undo is due within them. */
const SOON = LONGEST_UNDO + 2 * UNDO_MARGIN

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Sends the outbox for Background Sync, with what is due soon: its page may be closed by then. Rejects while an entry still
 * waits, so that the browser tries again by itself.
 */
export async function flushOutbox(engine: Engine, isEmpty: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + SOON
  for (let due = await engine.sync('background'); !(await isEmpty()); due = await engine.sync('background')) {
    if (due === null || due > end) throw new Error('Changes still wait.')
    await pause(Math.max(100, due - Date.now()))
  }
}

/** The reasons that cause most work, which is done for several reasons at once. */
const STRONGEST_FIRST: readonly SyncReason[] = ['online', 'background', 'start', 'visible', 'periodic']

/** Background Sync says that there is a network, and the user is there: as good as `online`, which pulls as well. */
const strongestOf = (reasons: ReadonlySet<SyncReason>): SyncReason =>
  reasons.has('background') && (reasons.has('start') || reasons.has('visible'))
    ? 'online'
    : [...STRONGEST_FIRST, ...SYNC_REASONS].find((one) => reasons.has(one))!

/**
 * Runs `work` one at a time. All requests during a run share one further run after it, so that each promise ends with a
 * run that began after its request.
 */
export function coalesce(work: (reason: SyncReason) => Promise<void>): (reason: SyncReason) => Promise<void> {
  let running: Promise<void> | null = null
  let queued: { readonly reasons: Set<SyncReason>; readonly run: Promise<void> } | null = null

  const start = (reason: SyncReason): Promise<void> => {
    const run = work(reason).finally(() => {
      if (running === run) running = null
    })
    running = run
    return run
  }
  return (reason) => {
    if (queued === null) {
      if (running === null) return start(reason)
      const reasons = new Set<SyncReason>()
      const next = (): Promise<void> => {
        queued = null
        return start(strongestOf(reasons))
      }
      queued = { reasons, run: running.then(next, next) }
    }
    queued.reasons.add(reason)
    return queued.run
  }
}

/**
 * A part of a sync, done one at a time, and due at its own times while it works. After a failure (a database that cannot
 * be written, not an answer of the server) the part is due after a backoff: its own time may be now, and the host would
 * run it without a pause. A pull that it owes is due after a backoff as well, beside its own times.
 */
function watchedPart(
  env: EngineEnv,
  work: (heard: EngineEnv, reason: SyncReason) => Promise<OwedPull | null | void>,
  ownDueAt: (env: EngineEnv) => Promise<number | null>,
) {
  let failures = 0
  let retryAt = 0
  let isBroken = false
  const fail = (retryAfter: number | null): void => {
    failures += 1
    retryAt = env.now() + backoff(failures, retryAfter, env.random())
  }
  const sync = coalesce(async (reason) => {
    try {
      const owed = await withReach(env, (heard) => work(heard, reason))
      isBroken = false
      if (owed == null) failures = 0
      else fail(owed.retryAfter)
    } catch (error) {
      isBroken = true
      fail(null)
      throw error
    }
  })
  return {
    sync,
    /**
     * Milliseconds at which the part is due next; null: not before a caller asks. A part that has failed always has a time.
     * @param onFailure gets the error if the part's own time cannot be read
     */
    async dueAt(onFailure: (error: unknown) => void): Promise<number | null> {
      if (isBroken) return retryAt
      try {
        const own = await ownDueAt(env)
        return failures === 0 ? own : Math.min(own ?? Infinity, retryAt)
      } catch (error) {
        fail(null)
        onFailure(error)
        return retryAt
      }
    },
  }
}

/** Sends the user's mutations, then pulls the server's rows. */
export async function syncWidgets(env: EngineEnv, reason: SyncReason, signal?: Signal): Promise<OwedPull | null> {
  if (reason === 'online' || reason === 'background') await forgetOutage(env, SHORTEST_WAIT)
  // An entry that comes after this is sent by the request that comes with it.
  if ((await env.db.outbox.count()) > 0) await drain(env, signal)
  return pull(env, reason)
}

/** Loads settings, coin list, prices, history and daily closes where they are due. */
export async function syncMarket(env: EngineEnv, reason: SyncReason): Promise<void> {
  const { db } = env
  // One read finds that nothing is due, as most often.
  const due = await db.transaction('r', db.tables, async () => ({
    settings: (await dueSettings(env, reason)) !== null,
    coins: await areCoinsDue(env),
    isFirst: (await readMeta(db, 'config')) === undefined,
    prices: await arePricesDue(env),
    history: (await dueHistory(env)).length > 0,
    closes: await areClosesDue(env),
  }))
  const settings = due.settings && syncSettings(env, reason)
  // The settings name the address of prices; once they are stored, the prices do not wait for them.
  const prices = async (): Promise<void> => {
    if (due.isFirst) await settings
    if (due.isFirst || due.prices) await syncPrices(env)
  }
  await Promise.all([settings, due.coins && syncCoins(env), prices(), due.history && freshenHistory(env)])
  // No screen waits for them.
  if (due.closes) await syncDailyCloses(env)
}

/** Milliseconds at which prices, settings or closes of own coins are due; null: none of them. */
async function marketDueAt(env: EngineEnv): Promise<number | null> {
  const { db } = env
  const read = async () => [await pricesNextDueAt(env), await settingsDueAt(env), await closesDueAt(env)]
  const due = (await db.transaction('r', [...snapshotTables(db), db.prices, db.daily_closes], read)).filter(
    (time) => time !== null,
  )
  return due.length === 0 ? null : Math.min(...due)
}

/** Milliseconds between two `accepted` replies; a page takes a worker that is silent for longer for stopped. */
const PULSE = 20_000
/** Milliseconds for a page to reply that it still waits; a closed page never does. */
const PROCEED_TIMEOUT_MS = 10_000

/** Null for other messages, such as those of another version of the app. */
export function readRequest(data: unknown): EngineRequest | null {
  const { reason, route, input } = (data ?? {}) as Partial<Record<string, unknown>>
  switch (kindOf(data)) {
    case 'sync':
      return isSyncReason(reason) ? { kind: 'sync', reason } : null
    case 'call':
      return typeof route === 'string' &&
        Object.hasOwn(engineRoutes, route) &&
        typeof input === 'object' &&
        input !== null
        ? { kind: 'call', route: route as CallRoute, input: input as CallInput<CallRoute> }
        : null
    default:
      return null
  }
}

/** The page at the other end of a request's port. */
interface PagePort {
  readonly reply: (reply: EngineReply) => void
  /** Resolves with true if the page, after `accepted`, still wants its request done here. */
  readonly stillWaits: () => Promise<boolean>
}

export function pagePort(port: MessagePort): PagePort {
  const proceed = new Promise<true>((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent) => {
      if (kindOf(data) === PROCEED.kind) resolve(true)
    })
  })
  port.start()
  return {
    reply: (reply) => port.postMessage(reply),
    stillWaits: () => withTimeLimit(browserTimer, PROCEED_TIMEOUT_MS, proceed, () => false),
  }
}

/** Performs a page's request and replies; never rejects. */
export async function answerPage(
  engine: Engine,
  request: EngineRequest,
  { reply, stillWaits }: PagePort,
): Promise<void> {
  reply({ kind: 'accepted' })
  const pulse = setInterval(() => reply({ kind: 'accepted' }), PULSE)
  try {
    switch (request.kind) {
      case 'sync':
        return reply({ kind: 'synced', nextDueAt: await engine.sync(request.reason) })
      case 'call':
        if (!(await stillWaits())) return
        return reply({ kind: 'called', result: await engine.call(request.route, request.input) })
    }
  } catch (error) {
    reply({ kind: 'failed', ...sentError(error) })
  } finally {
    clearInterval(pulse)
  }
}
