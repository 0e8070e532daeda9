import { liveQuery } from 'dexie'
import type { AccountView } from '../db/account'
import { LocalDatabase, readMeta } from '../db/database'
import { ensureIdentity, readAccountView } from '../db/identity'
import { accountAtom, forgetOwnerAtom } from '../state/account'
import { keepIdentity } from '../state/keep-identity'
import { configAtom, tierLimitsAtom } from '../state/server-settings'
import type { Services, Store } from '../state/services'
import { databaseTroubleAtom } from './database-gate'
import { startLiveFeeds } from './live-feeds'

/**
 * Opens the local database for the page's life.
 * @param begun milliseconds at which the page began; with the bytes, the identity of a new guest
 */
export function openLocalDatabase(store: Store, begun: number, bytes: Uint8Array) {
  const db = new LocalDatabase()
  watchDatabase(db, store)
  followAccount(store, db)
  followSettings(store, db)
  return {
    db,
    /** Resolves in any case: the user is told of a database that cannot be used. */
    identified: ensureIdentity({ db, now: () => begun }, bytes).catch((error: unknown) => {
      store.set(databaseTroubleAtom, { kind: 'unusable', reason: String(error) })
    }),
    startFeeds: (services: Services) => startLiveFeeds(store, services),
  }
}

/** Closes the database for a newer version of the app, and says so when the database cannot be used. */
export function watchDatabase(db: LocalDatabase, store: Store): void {
  db.on('versionchange', () => {
    // An open connection would keep the newer version waiting for ever.
    db.close({ disableAutoOpen: true })
    store.set(databaseTroubleAtom, { kind: 'superseded' })
    // Dexie's own answer would open the database again at the next read.
    return false
  })
  db.on('blocked', () => store.set(databaseTroubleAtom, { kind: 'blocked' }))
  db.on('ready', () => store.set(databaseTroubleAtom, (known) => (known?.kind === 'blocked' ? null : known)), true)
  db.on('close', () => {
    // Closing for a newer version ends here, too, and is known already.
    if (store.get(databaseTroubleAtom) !== null) return
    // A browser may close the connection of a suspended app, and accept another: only if it refuses is the app over.
    db.open().catch(() => store.set(databaseTroubleAtom, (known) => known ?? { kind: 'closed' }))
  })
}

/** Keeps `accountAtom` as long as the page lives: a sign-in or logout in one tab is one in all of them. */
export function followAccount(store: Store, db: LocalDatabase): void {
  const show = (account: AccountView | undefined) => {
    const before = store.get(accountAtom)
    if (account !== undefined && before !== undefined && before.owner !== account.owner) {
      store.set(forgetOwnerAtom, account)
    }
    // Every applied answer makes a new view; an equal one renders nothing.
    store.set(accountAtom, keepIdentity(before, account))
  }
  // The screens' feeds show the user that the database cannot be read.
  liveQuery(() => readAccountView(db)).subscribe({ next: show, error: reportError })
}

/** Keeps the server's public settings as long as the page lives. */
export function followSettings(store: Store, db: LocalDatabase): void {
  const read = () => Promise.all([readMeta(db, 'config'), readMeta(db, 'tier_limits')])
  liveQuery(() => db.transaction('r', db.meta, read)).subscribe({
    next: ([config, tiers]) => {
      store.set(configAtom, (known) => keepIdentity(known, config?.config))
      store.set(tierLimitsAtom, (known) => keepIdentity(known, tiers?.limits))
    },
    error: reportError,
  })
}
