import { expect, test } from 'vitest'
import { owner_revisions, owners } from '../../server/db/schema/users'
import { operations, widgets as widgetTable } from '../../server/db/schema/widgets'
import { readLostPairs, removeLostHere, sendLostAgain } from '../../src/db/commands/lost-pairs'
import { discardChange } from '../../src/db/commands/failed-changes'
import { removeWidget, reorderWidgets, updateWidget } from '../../src/db/commands/widgets'
import { saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { findWidget } from '../../src/db/view'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { guestScene } from './support/guest-scene'
import { json } from './support/wire'

const { scene, shown, guest, elsewhere, toldGuest, guestWithPairs } = guestScene()
const { context, board, sync, syncFor, addPair, pairs, notices } = scene

const asked = async () => (await readLostPairs(scene.tab.db))!
/** The server begins anew with an empty database, as after a wrong DATA_DIR or the restoring of an old backup. */
const loseEverything = async () => {
  const { orm } = scene.server.database
  await orm.delete(widgetTable)
  await orm.delete(operations)
  await orm.delete(owners)
}
/** The owners' lists are of another revision: a restored backup is of an earlier one, another device's change of a later one. */
const otherRevision = () => scene.server.database.pool.query('UPDATE owner_revisions SET widgets = widgets - 1')

/** A guest with three pairs, the last added of which has been put first. */
async function guestWithBoard() {
  await guestWithPairs()
  const [first, second, third] = (await board()).widgets
  await reorderWidgets(context(), [third!.id, first!.id, second!.id])
  await syncFor(MINUTE)
  expect([await pairs(), (await board()).changes]).toEqual([['solana', 'ethereum', 'cardano'], []])
}

test('pairs that the server has lost stay on the board, are asked about over a reload, and are sent again as they were', async () => {
  await guestWithBoard()
  const before = await shown()
  const { id } = (await board()).widgets[0]!
  await loseEverything()
  await syncFor(5 * MINUTE)
  expect(await shown()).toEqual(before)
  expect(await asked()).toMatchObject({ names: ['BIT/SOL', 'BIT/ETH', 'BIT/CAR'], all: true })
  expect(await readLostPairs(scene.browser.open().db)).toEqual(await asked())

  scene.offline()
  await sendLostAgain(context())
  await sendLostAgain(context())
  expect([await shown(), (await asked()).names]).toEqual([before, []])
  scene.online()
  await syncFor(5 * MINUTE)
  expect([await toldGuest(), await shown(), (await board()).changes]).toEqual([before, before, []])
  // An address or an open dialog goes on meaning the same pair.
  expect(findWidget(await board(), id)).toEqual((await board()).widgets[0])
  expect(await notices()).toEqual([])
})

test('pairs that the server has lost can be removed here', async () => {
  await guestWithBoard()
  await loseEverything()
  await syncFor(2 * MINUTE)
  await removeLostHere(context())
  await removeLostHere(context())
  expect([await pairs(), (await asked()).names]).toEqual([[], []])
  await syncFor(2 * MINUTE)
  expect([await pairs(), await guest().list(), (await board()).changes]).toEqual([[], [], []])
})

test('a pair that the server has lost alone stays in its place, and goes alone', async () => {
  await guestWithBoard()
  const before = await shown()
  const { orm } = scene.server.database
  const [first] = await guest().list()
  const { eq } = await import('drizzle-orm')
  await orm.delete(widgetTable).where(eq(widgetTable.id, first!.id))
  await otherRevision()
  await syncFor(2 * MINUTE)
  expect([await shown(), await asked()]).toMatchObject([before, { names: ['BIT/SOL'], all: false }])
  await sendLostAgain(context())
  await syncFor(2 * MINUTE)
  expect([await toldGuest(), await shown()]).toEqual([before, before])
})

test('what is done to a lost pair before the answer waits, and is sent again with the pair', async () => {
  await guestWithBoard()
  await loseEverything()
  const [first, second] = (await board()).widgets
  await updateWidget(context(), first!.id, { alerts: { low: { threshold: 4 } } })
  await syncFor(2 * MINUTE)
  await saveCheckpoint(context(), second!.id, 9)
  await syncFor(2 * MINUTE)
  expect([(await board()).changes.length, await notices()]).toEqual([2, []])
  const before = await shown()
  await sendLostAgain(context())
  await syncFor(5 * MINUTE)
  expect([await toldGuest(), (await board()).changes, await notices()]).toEqual([before, [], []])
})

test('a lost pair that the user removes is gone at once', async () => {
  await guestWithBoard()
  await loseEverything()
  await syncFor(2 * MINUTE)
  await updateWidget(context(), (await board()).widgets[0]!.id, { alerts: { low: { threshold: 4 } } })
  await removeWidget(context(), (await board()).widgets[0]!.id)
  expect([await pairs(), (await board()).changes]).toEqual([['ethereum', 'cardano'], []])
  expect((await asked()).names).toHaveLength(2)
})

test('a lost pair that the server has again is asked about no longer', async () => {
  await guestWithBoard()
  scene.browser.setWay(({ method, path }) => (method === 'GET' && path === '/widgets' ? json(200, []) : 'arrives'))
  await syncFor(2 * MINUTE)
  expect((await asked()).names).toHaveLength(3)
  scene.online()
  await syncFor(2 * MINUTE)
  expect([(await asked()).names, await pairs()]).toEqual([[], ['solana', 'ethereum', 'cardano']])
})

test('a pair whose removal the guest has discarded after it was sent goes when the server’s list lacks it', async () => {
  await guestWithBoard()
  await removeWidget(context(), (await board()).widgets[0]!.id)
  scene.browser.setWay(({ method }) =>
    method === 'DELETE' ? 'lost-answer' : method === 'GET' ? 'lost-request' : 'arrives',
  )
  await sync()
  const [removal] = (await board()).changes
  await discardChange(context(), removal!.opId)
  expect(await pairs()).toHaveLength(3)
  scene.online()
  await sync()
  expect([await pairs(), (await asked()).names]).toEqual([['ethereum', 'cardano'], []])
})

/** A user with a pair of before a backup, and one of after it; the server is restored from the backup. */
async function userOfRestoredServer() {
  await scene.logInHere(await scene.server.member())
  await sync()
  await addPair('ethereum')
  await sync()
  const { orm, pool } = scene.server.database
  const backup = await orm.select().from(owner_revisions)
  scene.later(MINUTE)
  await addPair('solana')
  await updateWidget(context(), (await board()).widgets[1]!.id, { alerts: { low: { threshold: 4 } } })
  await saveCheckpoint(context(), (await board()).widgets[1]!.id, 9)
  await sync()
  expect((await board()).changes).toEqual([])
  await pool.query(`DELETE FROM widgets WHERE coin_b_id = 'solana'`)
  await orm.delete(operations)
  await orm.delete(owner_revisions)
  await orm.insert(owner_revisions).values(backup)
  return shown()
}

test('a user’s pairs of after the backup from which the server was restored stay, and are sent again as they were', async () => {
  const before = await userOfRestoredServer()
  await syncFor(2 * MINUTE)
  expect([await shown(), await asked()]).toMatchObject([before, { names: ['BIT/SOL'], all: false }])
  // An hour later the whole list is asked for, which is of the held revision by now.
  await syncFor(2 * HOUR, 10 * MINUTE)
  expect((await asked()).names).toEqual(['BIT/SOL'])
  await sendLostAgain(context())
  await syncFor(2 * MINUTE)
  expect([await shown(), (await asked()).names, (await board()).changes, await notices()]).toEqual([before, [], [], []])
})

test('a user’s pairs stay also where a change is answered by the restored server before the list is', async () => {
  const before = await userOfRestoredServer()
  await saveCheckpoint(context(), (await board()).widgets[0]!.id, 7)
  const [first, second] = [[...before[0]!.slice(0, 5), [7]], before[1]]
  await syncFor(2 * MINUTE)
  expect([await shown(), await asked()]).toMatchObject([[first, second], { names: ['BIT/SOL'] }])
})

test('a user’s pair that is missing from the server’s list is taken for removed by another device', async () => {
  const email = await scene.server.member()
  await scene.logInHere(email)
  await sync()
  await addPair('ethereum')
  await sync()
  scene.later(MINUTE)
  const [pair] = await elsewhere(email).list()
  await elsewhere(email).ask('DELETE', `/widgets/${pair!.id}`)
  await syncFor(2 * MINUTE)
  expect([await pairs(), (await asked()).names]).toEqual([[], []])
})
