import { expect, test } from 'vitest'
import { putWidgetRow, readWidgets, replaceWidgetRows } from '../../src/db/answers/widget-rows'
import { OWNER, testContext, widgetNumber } from './support/entries'

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
