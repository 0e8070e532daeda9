import { expect, test } from 'vitest'
import { saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { addWidget } from '../../src/db/commands/widgets'
import type { LocalDatabase } from '../../src/db/database'
import { layoutReorder } from '../../src/db/mutations/widget-mutations'
import { pruneIds } from '../../src/db/board-rows'
import type { CheckpointId, CoinId, WidgetId } from '../../src/domain/ids'
import { widgetRow } from '../support/widget-row'
import { checkpointRow, entryOf, OWNER, testContext, uuid, widgetNumber } from './support/entries'
import { firstWidget, guestContext } from './support/people'

test('a new widget and a new checkpoint have temporary ids with the prefixes temp- and temp-cp-', async () => {
  const context = await guestContext()
  await addWidget(context, { coinA: 'aaa' as CoinId, coinB: 'bbb' as CoinId })
  const { id } = await firstWidget(context)
  expect(id).toMatch(/^temp-(?!cp-)[\w-]{36}$/)
  await saveCheckpoint(context, id, 2)
  const [checkpoint] = (await firstWidget(context)).checkpoints
  expect(checkpoint!.id).toMatch(/^temp-cp-[\w-]{36}$/)
})

test('an order of pairs is sent with the ids that the server has given to new pairs since', () => {
  const [added, old] = [widgetNumber(1).id, widgetNumber(2).id]
  const ids = new Map([['temp-1', added]])
  expect(layoutReorder.request({ ordered_ids: ['temp-1' as WidgetId, old] }, ids)).toEqual({
    route: 'reorderWidgets',
    params: {},
    body: { ordered_ids: [added, old] },
  })
})

const WIDGET = uuid(1) as WidgetId
const known = async (db: LocalDatabase) => (await db.ids.toArray()).map(({ temp }) => temp)

test('temporary ids that no row and no entry has used for 30 days are forgotten, and all others stay', async () => {
  const { db } = testContext()
  await db.widgets.put(widgetRow({ owner: OWNER, id: WIDGET }))
  await db.checkpoints.put({ ...checkpointRow(WIDGET, uuid(2), 0), owner: OWNER })
  await db.outbox.bulkAdd([
    entryOf(1, 'widget.delete@1', { widget: 'temp-queued' as WidgetId }),
    entryOf(2, 'checkpoint.reorder@1', { widget: WIDGET, ordered_ids: [uuid(3) as CheckpointId] }),
    {
      ...entryOf(3, 'widget.delete@1', { widget: WIDGET }),
      kind: 'widget.new@9',
      payload: { deep: [{ id: 'temp-later' }] },
    } as never,
  ])
  await db.ids.bulkPut([
    { temp: 'temp-cp-shown', real: uuid(2), owner: OWNER },
    { temp: 'temp-cp-queued', real: uuid(3), owner: OWNER },
    { temp: 'temp-gone', real: uuid(4), owner: OWNER },
    { temp: 'temp-later', real: uuid(5) },
    { temp: 'temp-queued', real: uuid(6) },
    { temp: 'temp-shown', real: WIDGET },
    { temp: 'temp-without-owner', real: uuid(7) },
  ])
  const used = ['temp-cp-queued', 'temp-cp-shown', 'temp-later', 'temp-queued', 'temp-shown']

  for (let look = 1; look <= 30; look++) await pruneIds(db)
  expect(await known(db)).toEqual([...used, 'temp-gone', 'temp-without-owner'].toSorted())
  await pruneIds(db)
  expect(await known(db)).toEqual(used)
})
