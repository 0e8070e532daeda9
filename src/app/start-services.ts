import type { createStore } from 'jotai'
import { ensureIdentity } from '../db/commands/ensure-identity'
import { LocalDatabase } from '../db/database'
import { accountAtom } from '../state/account'
import { updateOfferAtom } from '../state/offers'
import type { Services } from '../state/services'
import { backgroundFailure } from './background-failure'
import { lazyBridge } from './bridge/lazy-bridge'
import { databaseTroubleAtom, watchDatabase } from './database-trouble'
import { followAccount } from './follow-account'
import { loadOnce } from './load-once'
import { lazyPush } from './push/lazy-push'
import { randomBytes, uuid } from './randomness'
import { lazyWorker } from './web-worker'

type Store = ReturnType<typeof createStore>

/** Bytes of which an anonymous identity is made. */
const IDENTITY_BYTES = 24

/**
 * Everything outside React, begun at once and awaited by nobody: the first paint comes from whatever the local database
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
