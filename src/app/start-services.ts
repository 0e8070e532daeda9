import { anonymousId, uuidOf } from '../domain/ids'
import type { CommandContext } from '../db/command'
import type { LocalDatabase } from '../db/database'
import type { SessionRow } from '../db/rows'
import { accountAtom } from '../state/account'
import { loadOnce } from '../state/load-once'
import { showStored, startFeedsAtom } from '../state/live-data'
import { type Services, type Store, updateOfferAtom } from '../state/services'
import { lazyBridge, lazyPush, lazyWorker } from './lazy-services'

/** Bytes of which an anonymous identity is made. */
const IDENTITY_BYTES = 24

interface StartOptions {
  readonly store: Store
  /** Milliseconds at which the page began. */
  readonly begun: number
  readonly painted: Promise<unknown>
}

/** Begins all work outside React, behind the first paint, which needs none of it. */
export function startServices({ store, begun, painted }: StartOptions): Services & { readonly guest: SessionRow } {
  let db: LocalDatabase | undefined
  const commands: CommandContext = {
    get db() {
      if (db === undefined) throw new Error('The local database is not open yet')
      return db
    },
    now: Date.now,
    uuid,
    shownOwner: () => store.get(accountAtom)?.owner,
    onStored: (rows) => showStored(store, rows),
  }
  const bytes = randomBytes(IDENTITY_BYTES)
  const owner = anonymousId(begun, bytes)
  const worker = lazyWorker()

  const open = loadOnce(async () => {
    await painted
    const { openLocalDatabase } = await import('./open-local-database')
    const opened = openLocalDatabase(store, begun, bytes)
    db = opened.db
    await opened.identified
    store.set(startFeedsAtom, { start: () => opened.startFeeds(services) })
  })
  const background = loadOnce(async () => {
    await painted
    const [{ startBackground }] = await Promise.all([import('./start-background'), open()])
    const onUpdateReady = () => store.set(updateOfferAtom, { accept: () => engine.applyUpdate() })
    return startBackground({ db: commands.db, store, worker, onUpdateReady })
  })
  const engine = lazyBridge(async () => (await background()).bridge)
  const push = lazyPush(async () => (await background()).push)
  engine.requestSync('start')
  installEarly()
  const guest = { key: 'current', owner, tokens: null, user: null, anonymous_id: owner } as const
  const services = { commands, open, engine, push, worker, guest }
  return services
}

/**
 * Begins the first installation of the service worker while the page paints. Its code registers it once more behind the
 * database (bridge/registration.ts), and tells of failures.
 */
function installEarly(): void {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (import.meta.env.PROD && container?.controller === null) container.register('/sw.js').catch(() => undefined)
}

const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))

/** `crypto.randomUUID` exists only over https and on localhost; a self-hosted app may run on neither. */
const uuid = (): string => uuidOf(randomBytes(16))
