import { liveQuery } from 'dexie'
import type { createStore } from 'jotai'
import type { LocalDatabase } from '../db/database'
import { type AccountView, readAccountView } from '../db/queries/account'
import { accountAtom } from '../state/account'
import { forgetOwnerAtom } from '../state/forget-owner'

/** Keeps `accountAtom` as long as the page lives: a sign-in or logout in one tab is one in all of them. */
export function followAccount(store: ReturnType<typeof createStore>, db: LocalDatabase): void {
  const show = (account: AccountView | undefined) => {
    const before = store.get(accountAtom)
    // Read anew with every answer that is applied; what is as it was renders nothing.
    if (JSON.stringify(before) === JSON.stringify(account)) return
    if (account !== undefined && before !== undefined && before.owner !== account.owner) {
      store.set(forgetOwnerAtom, account)
    }
    store.set(accountAtom, account)
  }
  // Whoever needs the database says that it cannot be read.
  liveQuery(() => readAccountView(db)).subscribe({ next: show, error: reportError })
}
