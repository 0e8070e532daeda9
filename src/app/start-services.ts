import { ensureIdentity } from '../db/account'
import { LocalDatabase } from '../db/database'
import { uuidOf } from '../domain/ids'
import { accountAtom } from '../state/account'
import { type Services, type Store, updateOfferAtom } from '../state/services'
import { databaseTroubleAtom, watchDatabase } from './database-gate'
import { lazyBridge, lazyPush, lazyWorker, loadOnce } from './lazy-services'
import { followAccount } from './live-feeds'

/** Bytes of which an anonymous identity is made. */
const IDENTITY_BYTES = 24

/** Begins all work outside React. Nothing is awaited: the first paint comes from the local database. */
export function startServices(store: Store): Services {
  const db = new LocalDatabase()
  const commands = { db, now: Date.now, uuid, shownOwner: () => store.get(accountAtom)?.owner }
  const worker = lazyWorker()
  watchDatabase(db, store)
  followAccount(store, db)

  const background = loadOnce(async () => {
    const { startBackground } = await import('./start-background')
    const onUpdateReady = () => store.set(updateOfferAtom, { accept: () => engine.applyUpdate() })
    return startBackground({ db, store, worker, onUpdateReady })
  })
  const engine = lazyBridge(async () => (await background()).bridge)
  const push = lazyPush(async () => (await background()).push)
  ensureIdentity(commands, randomBytes(IDENTITY_BYTES)).then(
    () => engine.requestSync('start'),
    (error: unknown) => store.set(databaseTroubleAtom, { kind: 'unusable', reason: String(error) }),
  )
  return { commands, engine, push, worker }
}

const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))

/** `crypto.randomUUID` exists only over https and on localhost; a self-hosted app may run on neither. */
const uuid = (): string => uuidOf(randomBytes(16))
