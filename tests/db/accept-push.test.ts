import { expect, test } from 'vitest'
import { acceptPull } from '../../src/db/answers/accept-pull'
import { begunPull, pulledRows } from './support/pulled'
import { acceptPush } from '../../src/db/answers/accept-alerts'
import { readOwnerSyncState } from '../../src/db/owner-sync-state'
import { replaceWidgetRows } from '../../src/db/board-rows'
import type { Widget } from '../../src/contract/widget'
import { readAlerts } from '../../src/db/queries/alerts'
import type { AlertRow } from '../../src/db/rows'
import type { WidgetId } from '../../src/domain/ids'
import { wireWidget } from '../support/widget-row'
import { alertRow, messageOf, presentOwner, OTHER_OWNER } from './support/alerts'
import { NOW, uuid } from './support/entries'
import { firstWidget, guestContext } from './support/people'

const ID = uuid(1000) as WidgetId
const armed: Partial<Widget> = { id: ID, high_threshold: 21.42, low_threshold: 10, high_epoch: 3, low_epoch: 5 }

async function scene() {
  const context = await guestContext()
  const { db } = context
  const owner = await presentOwner(context)
  await replaceWidgetRows(db, owner, [wireWidget(armed)])
  const push = (change: Parameters<typeof alertRow>[1]) =>
    acceptPush(db, [messageOf(alertRow(owner, { epoch: 3, ...change }))], owner, NOW)
  const flags = async () => {
    const { high, low } = (await firstWidget(context)).alerts
    return { high: [high.armed, high.epoch], low: [low.armed, low.epoch] }
  }
  return { context, db, owner, push, flags }
}

test('a push is stored as an alert and disarms its side of the pair', async () => {
  const { db, owner, push, flags } = await scene()
  expect(await push({})).toMatchObject({ claims: [{ isFirst: true }] })
  const expected: AlertRow = { ...alertRow(owner, { epoch: 3 }), by: 'push', crossed_at: new Date(NOW).toISOString() }
  expect(await readAlerts(db)).toEqual([expected])
  expect(await flags()).toEqual({ high: [false, 3], low: [true, 5] })
  expect(await push({ side: 'low', epoch: 5 })).toMatchObject({ claims: [{ isFirst: true }] })
  expect(await flags()).toEqual({ high: [false, 3], low: [false, 5] })
})

test('a push of an earlier epoch leaves both sides armed in their later epochs', async () => {
  const { push, flags } = await scene()
  await push({ epoch: 2 })
  await push({ side: 'low', epoch: 4 })
  expect(await flags()).toEqual({ high: [true, 3], low: [true, 5] })
})

test('a push of an epoch that this browser does not know yet disarms the side and stores that epoch', async () => {
  const { push, flags } = await scene()
  await push({ epoch: 4 })
  await push({ side: 'low', epoch: 7 })
  expect(await flags()).toEqual({ high: [false, 4], low: [false, 7] })
})

test('a push makes a pull under way obsolete and asks for another pull', async () => {
  const { db, owner, push, flags } = await scene()
  const { applied_rev } = await readOwnerSyncState(db, owner)
  await push({})
  expect(await acceptPull(db, begunPull(owner, applied_rev), pulledRows([wireWidget(armed)]), NOW)).toBe(false)
  expect(await flags()).toMatchObject({ high: [false, 3] })
  expect(await readOwnerSyncState(db, owner)).toMatchObject({ needs_pull: true })
})

test('a push for a pair that this browser does not know yet is stored as an alert', async () => {
  const { db, push } = await scene()
  expect(await push({ widget: uuid(5) })).toMatchObject({ claims: [{ isFirst: true }] })
  expect(await readAlerts(db)).toHaveLength(1)
  expect(await db.widgets.count()).toBe(1)
})

test('a push of an alert that the page announced is not first', async () => {
  const { db, owner, push, flags } = await scene()
  await db.alerts.put(alertRow(owner, { widget: ID, epoch: 3, seen_at: NOW }))
  expect(await push({})).toMatchObject({ claims: [{ isFirst: false }] })
  expect(await readAlerts(db)).toMatchObject([{ event_id: `${ID}:high:3`, by: 'app', seen_at: NOW }])
  expect(await flags()).toMatchObject({ high: [false, 3] })
})

test('a push leaves the widget row alone when the row belongs to another owner by now', async () => {
  const { db, push } = await scene()
  await db.widgets.update(ID, { owner: OTHER_OWNER })
  expect(await push({})).toMatchObject({ claims: [{ isFirst: true }] })
  expect(await db.widgets.get(ID)).toMatchObject({ high_threshold_active: true })
})

test('a push for an owner who is not signed in writes neither an alert nor the widget', async () => {
  const { db, push } = await scene()
  await db.session.update('current', { owner: OTHER_OWNER })
  expect(await push({})).toBeNull()
  expect(await db.alerts.count()).toBe(0)
  expect(await db.widgets.get(ID)).toMatchObject({ high_threshold_active: true })
})
