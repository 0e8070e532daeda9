import { Dexie } from 'dexie'
import { expect, test } from 'vitest'
import { claimAlert } from '../../src/db/commands/claim-alert'
import { LocalDatabase } from '../../src/db/database'
import { readAlerts } from '../../src/db/queries/alerts'
import { readBoard } from '../../src/db/queries/board'
import { alertRow } from './support/alerts'
import { widgetRow } from '../support/widget-row'
import { entryOf, OWNER } from './support/entries'

/** The database as the first released version made it. */
const FIRST_VERSION = {
  session: 'key',
  owners: 'owner',
  widgets: 'id, owner',
  checkpoints: 'id, owner, widget_id',
  outbox: '++seq, &op_id, owner',
  ids: 'temp',
  notices: '++id, owner',
  prices: 'key',
  ticks: '[coin_id+hour], coin_id, hour',
  history: 'id, coin_id, fetch_timestamp',
  history_fetches: '[coin_id+period]',
  meta: 'key',
}

test('the upgrade of the first database version keeps session, widgets and outbox, and adds the alert table', async () => {
  const name = 'upgraded'
  const first = new Dexie(name)
  first.version(1).stores(FIRST_VERSION)
  await first.open()
  const row = widgetRow({ owner: OWNER })
  await first.table('session').put({ key: 'current', owner: OWNER, tokens: null, user: null, anonymous_id: OWNER })
  await first.table('widgets').put(row)
  const body = { high_threshold: 20 }
  await first.table('outbox').put(entryOf(1, 'widget.update@1', { widget: row.id, body }))
  // Another tab, of the version before, gives way when it is asked to.
  first.on('versionchange', () => first.close())

  const db = new LocalDatabase(name)
  expect((await readBoard(db))!.widgets).toMatchObject([{ id: row.id, highThreshold: 20, waiting: 1 }])
  expect(first.isOpen()).toBe(false)
  expect(await readAlerts(db)).toEqual([])
  expect(await claimAlert(db, alertRow(OWNER))).toBe(true)
  expect(await readAlerts(db)).toHaveLength(1)
})
