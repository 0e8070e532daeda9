import { liveQuery } from 'dexie'
import type { createStore } from 'jotai'
import type { LocalDatabase } from '../db/database'
import { readAccountView } from '../db/queries/account'
import { accountAtom } from '../state/account'

/** Keeps `accountAtom` as long as the page lives: a sign-in or logout in one tab is one in all of them. */
export function followAccount(store: ReturnType<typeof createStore>, db: LocalDatabase): void {
  liveQuery(() => readAccountView(db)).subscribe({
    next: (account) => store.set(accountAtom, account),
    // Whoever needs the database says that it cannot be read.
    error: reportError,
  })
}
