import { Dexie } from 'dexie'
import { expect, test } from 'vitest'
import { accountViewOf } from '../../src/db/account'
import { setAlerts } from '../../src/db/commands/widgets'
import { type LocalDatabase, writeMeta } from '../../src/db/database'
import { DATABASE_VERSION, type FirstRows, readFirstRows } from '../../src/db/first-rows'
import { readAccountView } from '../../src/db/identity'
import { readBoard } from '../../src/db/board-rows'
import { snapshotOf } from '../../src/db/snapshot'
import { boardOf } from '../../src/db/view'
import { addPair, userContext } from './support/people'

async function rowsOf(db: LocalDatabase): Promise<FirstRows> {
  const read = await readFirstRows(db.name)
  if (read.kind !== 'rows') throw new Error(read.kind)
  return read.rows
}

test('rows read without Dexie make the same board and account as the live queries, waiting changes included', async () => {
  const context = await userContext(true)
  const { db } = context
  await setAlerts(context, await addPair(context), true, 20)
  const { owner } = (await readBoard(db))!
  await db.owners.put({ owner, applied_rev: 1, pulled_at: 1, paused: true, needs_pull: false })
  const rows = await rowsOf(db)
  const board = boardOf(snapshotOf(rows)!)
  expect(board).toEqual(await readBoard(db))
  expect(board.widgets[0]).toMatchObject({ notificationsEnabled: true, isPending: true })
  const syncState = rows.owners.find(({ owner }) => owner === board.owner)
  const account = accountViewOf({ session: rows.session!, syncState, policies: null })
  expect(account).toEqual(await readAccountView(db))
  expect(account.expired).toBe(true)
})

test('rows read without Dexie have this version’s names where a service worker of the version before wrote them', async () => {
  const { db } = await userContext(true)
  await db.table('owners').put({ owner: 'old', applied_rev: 1, pull_wanted: true })
  await db.table('prices').put({ key: 'usd', prices: { bitcoin: { usd: 1, at: 5 } } })
  await writeMeta(db, 'dashboard', { view: 'list', order: 'near', keys: true })
  const { owners, prices, choice } = await rowsOf(db)
  expect(owners).toEqual(await db.owners.toArray())
  expect(owners.find(({ owner }) => String(owner) === 'old')).toMatchObject({ needs_pull: true })
  expect(prices).toEqual(await db.prices.get('usd'))
  expect(prices).toMatchObject({ prices: { bitcoin: { first_seen_at: 5 } } })
  expect(choice?.view).toBe('list')
})

test('a first visit has no rows, and looking for them makes no database', async () => {
  expect(await readFirstRows('never-made')).toEqual({ kind: 'none' })
  expect(await Dexie.exists('never-made')).toBe(false)
})

test('a database of another version is left to Dexie, which upgrades it', async () => {
  const { db } = await userContext(true)
  expect(db.verno).toBe(DATABASE_VERSION)
  db.close()
  const next = new Dexie(db.name)
  next.version(DATABASE_VERSION + 1).stores({})
  await next.open()
  next.close()
  expect(await readFirstRows(db.name)).toEqual({ kind: 'other-version' })
})
