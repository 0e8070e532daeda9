import type { WorkerApi } from '../../workers/api'
import { ensureIdentity } from '../db/account'
import { LocalDatabase } from '../db/database'
import { messageOf } from '../domain/error-message'
import { accountAtom } from '../state/account'
import { type Services, type Store, updateOfferAtom } from '../state/services'
import type { PushClient, PushResult } from '../state/push'
import { lazyBridge, loadOnce } from './lazy-services'
import { databaseTroubleAtom, watchDatabase } from './database-trouble'
import { followAccount } from './live-feeds'
import { uuidOf } from '../domain/ids'
/** Bytes of which an anonymous identity is made. */
const IDENTITY_BYTES = 24

/**
 * Work outside React, begun at once and not awaited: the first paint comes from whatever the local database
 * already holds.
 */
export function startServices(store: Store): Services {
  const db = new LocalDatabase()
  const commands = { db, now: Date.now, uuid, shownOwner: () => store.get(accountAtom)?.owner }
  const worker = lazyWorker()
  const onFailure = backgroundFailure(store)
  watchDatabase(db, store)
  followAccount(store, db)

  const background = loadOnce(async () => {
    const { startBackground } = await import('./start-background')
    const onUpdateReady = () => store.set(updateOfferAtom, { accept: () => engine.applyUpdate() })
    return startBackground({ db, store, worker, onUpdateReady, onFailure })
  })
  const engine = lazyBridge(async () => (await background()).bridge)
  const push = lazyPush(async () => (await background()).push)
  ensureIdentity(commands, randomBytes(IDENTITY_BYTES)).then(
    () => engine.requestSync('start'),
    (error: unknown) => store.set(databaseTroubleAtom, { kind: 'unusable', reason: String(error) }),
  )
  return { commands, engine, push, worker }
}

/** An error of background work goes to the log; a full storage is shown to the user, too. */
export const backgroundFailure =
  (store: Store) =>
  (error: unknown): void => {
    reportError(error)
    import('./storage-notice').then(({ noteStorage }) => noteStorage(store, error), reportError)
  }

/**
 * The client at once, its code a moment later: it is asked for beside the first paint, so that a click on a switch need
 * not wait for a network while the browser still counts it as the user's (HTML: transient activation).
 */
export function lazyPush(load: () => Promise<PushClient>): PushClient {
  const ask = async (what: keyof PushClient): Promise<PushResult> => {
    try {
      return await (await load())[what]()
    } catch (error) {
      reportError(error)
      return { ok: false, message: `Error enabling push: ${messageOf(error)}` }
    }
  }
  return { enable: () => ask('enable'), disable: () => ask('disable') }
}

/**
 * The web worker, started at its first use: a dashboard that is only glanced at needs no thread, and the first paint
 * nothing of what looks after one.
 */
export function lazyWorker(load = () => import('./supervised-worker')): () => WorkerApi {
  let worker: WorkerApi | undefined
  const loaded = loadOnce(async () => (await load()).supervisedWorker())
  return () =>
    (worker ??= {
      chart: async (request) => (await loaded()).chart(request),
      csv: async (request) => (await loaded()).csv(request),
      summaries: async (pairs, now) => (await loaded()).summaries(pairs, now),
      aggregate: async (now) => (await loaded()).aggregate(now),
    })
}

const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))

/** `crypto.randomUUID` exists only over https and on localhost; a self-hosted app may run on neither. */
const uuid = (): string => uuidOf(randomBytes(16))
