import { expect, test } from 'vitest'
import { raiseRevision } from '../../src/db/owner-sync-state'
import { putWidgetRow, readBoard, readWidgets, replaceWidgetRows } from '../../src/db/board-rows'
import type { OwnerId } from '../../src/domain/ids'
import { checkpointRow, NOW, OWNER, testContext, uuid, widgetNumber } from './support/entries'
import { addPair, guestContext, userRecord } from './support/people'

test('a board shows only its owner’s widgets, checkpoints, changes, account and limits', async () => {
  const context = await guestContext()
  const { db } = context
  const session = (await db.session.get('current'))!
  const user = uuid(9_999) as OwnerId
  const [theirs, mine] = [widgetNumber(1), widgetNumber(2)]
  const row = (widget: typeof mine, id: string) => ({ ...widget, checkpoints: [checkpointRow(widget.id, id, 0)] })
  await replaceWidgetRows(db, user, [row(theirs, 'theirs')])
  await replaceWidgetRows(db, session.owner, [row(mine, 'mine')])
  await addPair(context)
  const shown = async () => {
    const { account, owner, widgets, changes, limits } = (await readBoard(db))!
    const checkpoints = widgets.flatMap((widget) => widget.checkpoints.map(({ id }) => id))
    return [account, owner, widgets.map(({ coinA }) => coinA.id), checkpoints, changes.length, limits.max_widgets]
  }
  expect(await shown()).toEqual(['guest', session.owner, ['coin-2', 'aaa'], ['mine'], 1, 5])

  const tokens = { access: 'a', refresh: 'r' }
  await db.session.put({ ...session, owner: user, tokens, user: userRecord(user, true) })
  expect(await shown()).toEqual(['premium', user, ['coin-1'], ['theirs'], 0, 50])
})

test('a board counts as loaded once its own owner’s pairs were pulled, not those of the owner before', async () => {
  const context = await guestContext()
  const { db } = context
  const session = (await db.session.get('current'))!
  const loaded = async () => (await readBoard(db))!.loaded
  expect(await loaded()).toBe(false)
  await raiseRevision(db, session.owner, { pulled_at: NOW })
  expect(await loaded()).toBe(true)
  const user = uuid(9_999) as OwnerId
  await db.session.put({ ...session, owner: user, tokens: { access: 'a', refresh: 'r' }, user: userRecord(user, true) })
  expect(await loaded()).toBe(false)
})

test('a widget that an answer brings keeps its local place, and a new one comes last', async () => {
  const { db } = testContext()
  await replaceWidgetRows(db, OWNER, [widgetNumber(0), widgetNumber(1)])
  await putWidgetRow(db, OWNER, widgetNumber(0, { display_order: 7, high_threshold: 3 }), 'only-present')
  await putWidgetRow(db, OWNER, widgetNumber(2, { display_order: 0 }), 'may-insert')
  const rows = (await readWidgets(db))(OWNER)
  expect(rows.map((row) => [row.coin_a_id, row.display_order, row.high_threshold])).toEqual([
    ['coin-0', 0, 3],
    ['coin-1', 1, null],
    ['coin-2', 2, null],
  ])
})
