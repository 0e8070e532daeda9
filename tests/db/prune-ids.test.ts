import { expect, test } from 'vitest'
import type { LocalDatabase } from '../../src/db/database'
import { pruneIds } from '../../src/db/prune-ids'
import { DAY } from '../../src/domain/granularity'
import type { CheckpointId, WidgetId } from '../../src/domain/ids'
import { widgetRow } from '../support/widget-row'
import { checkpointRow, entryOf, NOW, OWNER, testContext, uuid } from './support/entries'

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

  await pruneIds(db, NOW)
  await pruneIds(db, NOW + 30 * DAY - 1)
  expect(await known(db)).toEqual([...used, 'temp-gone', 'temp-without-owner'].toSorted())
  await pruneIds(db, NOW + 30 * DAY)
  expect(await known(db)).toEqual(used)
})

test('a temporary id that comes into use again, or was looked at by a clock that ran ahead, has another 30 days', async () => {
  const { db } = testContext()
  await db.ids.bulkPut([
    { temp: 'temp-1', real: WIDGET, owner: OWNER },
    { temp: 'temp-2', real: uuid(2), unused_since: NOW + 900 * DAY },
  ])
  await pruneIds(db, NOW)
  await db.widgets.put(widgetRow({ owner: OWNER, id: WIDGET }))
  await pruneIds(db, NOW + 20 * DAY)
  await db.widgets.clear()
  await pruneIds(db, NOW + 29 * DAY)
  expect(await known(db)).toEqual(['temp-1', 'temp-2'])
  await pruneIds(db, NOW + 30 * DAY)
  expect(await known(db)).toEqual(['temp-1'])
  await pruneIds(db, NOW + 59 * DAY)
  expect(await known(db)).toEqual([])
})
