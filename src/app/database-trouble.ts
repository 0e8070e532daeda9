import { atom } from 'jotai'
import type { LocalDatabase } from '../db/database'
import type { Store } from '../state/services'

/** Why the local database cannot be used, and with it the app. */
export type DatabaseTrouble =
  /** It could not be opened: private mode, blocked storage, a full or broken disk. */
  | { readonly kind: 'unusable'; readonly reason: string }
  /** Another tab runs a newer version of the app and has changed the database. */
  | { readonly kind: 'superseded' }
  /** The browser closed it, such as when the site's data was cleared. */
  | { readonly kind: 'closed' }
  /** This tab is the newer one and waits for the others. */
  | { readonly kind: 'blocked' }

export const databaseTroubleAtom = atom<DatabaseTrouble | null>(null)

/** Steps aside for a newer version, and says so when the database goes away. */
export function watchDatabase(db: LocalDatabase, store: Store): void {
  db.on('versionchange', () => {
    // An open connection would keep the newer version waiting for ever.
    db.close({ disableAutoOpen: true })
    store.set(databaseTroubleAtom, { kind: 'superseded' })
    // Dexie's own answer would open it again at the next read.
    return false
  })
  db.on('blocked', () => store.set(databaseTroubleAtom, { kind: 'blocked' }))
  db.on(
    'ready',
    () => {
      if (store.get(databaseTroubleAtom)?.kind === 'blocked') store.set(databaseTroubleAtom, null)
    },
    true,
  )
  db.on('close', () => {
    // Closing for a newer version ends here, too, and has been said already.
    if (store.get(databaseTroubleAtom) !== null) return
    // A browser may close the connection of a suspended app, and take another. Only where it takes none is it over.
    db.open().catch(() => store.set(databaseTroubleAtom, (known) => known ?? { kind: 'closed' }))
  })
}
