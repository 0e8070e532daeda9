import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followAccount } from '../../../src/app/open-local-database'
import { leaveExpiredSession, logOut } from '../../../src/db/leave-owner'
import { LocalDatabase } from '../../../src/db/database'
import { raiseRevision } from '../../../src/db/owner-sync-state'
import { readBoard } from '../../../src/db/board-rows'
import { accountAtom } from '../../../src/state/account'
import { boardAtom } from '../../../src/state/live-data'
import { openDialogAtom, openDialogsAtom } from '../../../src/state/open-dialogs'
import { openDialog } from '../support/open-dialog'
import { localNoticesAtom, showToastAtom } from '../../../src/state/toasts'
import { addPair, userContext } from '../../db/support/people'
import type { Store } from '../../../src/state/services'

let context: Awaited<ReturnType<typeof userContext>>
let store: Store
/** Another tab: a connection of its own. */
let elsewhere: LocalDatabase
beforeEach(async () => {
  context = await userContext(true)
  await addPair(context)
  elsewhere = new LocalDatabase(context.db.name)
  store = createStore()
  followAccount(store, context.db)
  await vi.waitFor(() => expect(store.get(accountAtom)).toMatchObject({ account: 'premium', expired: false }))
  store.set(boardAtom, await readBoard(context.db))
})
afterEach(async () => {
  elsewhere.close()
  await context.db.delete()
})
const isGuest = () => vi.waitFor(() => expect(store.get(accountAtom)).toMatchObject({ account: 'guest', user: null }))
const owner = () => store.get(accountAtom)!.owner

test('a logout in another tab clears the board at once, and closes the user’s dialogs and toasts in this tab', async () => {
  const widget = store.get(boardAtom)!.widgets[0]!.id
  store.set(openDialogAtom, { kind: 'add-pair' })
  store.set(openDialogAtom, { kind: 'feedback' })
  store.set(openDialogAtom, { kind: 'checkpoints', widget })
  store.set(showToastAtom, { kind: 'error', message: 'Failed to update AAA/BBB' })
  store.set(showToastAtom, { kind: 'info', message: 'You are logged out.', ofLeaving: true })
  const boards: unknown[] = []
  store.sub(accountAtom, () => boards.push(store.get(boardAtom)))
  await logOut({ ...context, db: elsewhere })
  await isGuest()
  expect(boards).toEqual([undefined])
  expect(store.get(openDialogsAtom)).toEqual([])
  expect(store.get(localNoticesAtom).map(({ message }) => message)).toEqual(['You are logged out.'])
})

test('a toast about the logout goes when a user signs in again', async () => {
  const before = (await context.db.session.get('current'))!
  await logOut({ ...context, db: elsewhere })
  await isGuest()
  store.set(showToastAtom, { kind: 'success', message: 'Your account is scheduled for deletion.', ofLeaving: true })
  await context.db.session.put(before)
  await vi.waitFor(() => expect(store.get(accountAtom)).toMatchObject({ account: 'premium' }))
  expect(store.get(localNoticesAtom)).toEqual([])
})

test('the login dialog stays open when the expired session is left in order to log in again', async () => {
  await context.db.session.update('current', { tokens: null })
  await vi.waitFor(() => expect(store.get(accountAtom)).toMatchObject({ expired: true }))
  const login = { kind: 'auth', view: 'login' } as const
  store.set(openDialogAtom, login)
  await leaveExpiredSession({ ...context, db: elsewhere }, owner())
  await isGuest()
  expect(openDialog(store, 'auth')).toEqual(login)
})

test('the login dialog closes when another tab has signed the user in', async () => {
  const user = (await context.db.session.get('current'))!
  await logOut(context)
  await isGuest()
  store.set(openDialogAtom, { kind: 'auth', view: 'login' })
  await elsewhere.session.put(user)
  await vi.waitFor(() => expect(store.get(accountAtom)).toMatchObject({ account: 'premium' }))
  expect(openDialog(store, 'auth')).toBeUndefined()
})

test('session data that does not change the account does not notify the account’s subscribers', async () => {
  const heard = vi.fn()
  store.sub(accountAtom, heard)
  await raiseRevision(elsewhere, owner())
  await elsewhere.session.update('current', { tokens: { access: 'next', refresh: 'next' } })
  await elsewhere.owners.update(owner(), { paused: true })
  await vi.waitFor(() => expect(store.get(accountAtom)).toMatchObject({ expired: true }))
  expect(heard).toHaveBeenCalledOnce()
})
