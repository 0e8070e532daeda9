import { beforeEach, expect, test } from 'vitest'
import { exchangeWidgets, reorderWidgets } from '../../src/db/commands/widgets'
import { readBoard } from '../../src/db/board-rows'
import { MINUTE } from '../../src/domain/granularity'
import type { WidgetId } from '../../src/domain/ids'
import type { Operator } from '../server/support/admin'
import { oneTab } from './support/one-tab'

const scene = oneTab({ env: { FREE_MAX_WIDGETS: '2', PREMIUM_MAX_WIDGETS: '4' } })
const { addPair, logInHere, later, notices, offline, online } = scene
const sync = () => scene.tab.engine.sync('online')

let support: Operator
let me: string
/** A free user with four pairs, of which the server has made the first two active. */
beforeEach(async () => {
  support = await scene.server.operator()
  const email = await scene.server.member()
  me = (await scene.server.rowOf(email)).id
  await support.grant(me)
  await logInHere(email)
  await scene.tab.engine.sync('start')
  for (const coin of ['ethereum', 'solana', 'cardano', 'ripple'])
    expect(await addPair(coin)).toMatchObject({ ok: true })
  await sync()
  await support.revoke(me)
  await scene.call('me', {})
  await sync()
  expect(await shown()).toEqual(['ethereum +', 'solana +', 'cardano', 'ripple'])
})

/** The quote coins on the board, active ones marked. */
const shown = async () =>
  (await readBoard(scene.tab.db))!.widgets.map(({ coinB, isActive }) => `${coinB.id}${isActive ? ' +' : ''}`)
/** The same of the server's answers as stored, before the outbox is applied to them. */
const stored = async () =>
  (await scene.tab.db.widgets.toCollection().sortBy('display_order')).map(
    ({ coin_b_id, is_active }) => `${coin_b_id}${is_active ? ' +' : ''}`,
  )
const idOf = async (coin: string): Promise<WidgetId> =>
  (await readBoard(scene.tab.db))!.widgets.find(({ coinB }) => coinB.id === coin)!.id
const exchange = async (activate: string, inPlaceOf: string) =>
  exchangeWidgets(scene.tab.context, { activate: await idOf(activate), inPlaceOf: await idOf(inPlaceOf) })

test('an exchange shows at once, reaches the server with the next sync, and is what the next pull brings', async () => {
  const after = ['ethereum +', 'ripple +', 'cardano', 'solana']
  expect(await exchange('ripple', 'solana')).toMatchObject({ ok: true })
  expect([await shown(), await stored()]).toEqual([after, ['ethereum +', 'solana +', 'cardano', 'ripple']])
  await sync()
  expect([await shown(), await stored()]).toEqual([after, after])
  later(MINUTE)
  await scene.tab.engine.sync('visible')
  expect([await shown(), await stored(), await notices()]).toEqual([after, after, []])
})

test('exchanges and a reorder that were made offline become one request, and end as they were shown', async () => {
  offline()
  await exchange('ripple', 'solana')
  await exchange('cardano', 'ethereum')
  const order = ['ripple', 'cardano', 'ethereum', 'solana']
  await reorderWidgets(scene.tab.context, await Promise.all(order.map(idOf)))
  const after = ['ripple +', 'cardano +', 'ethereum', 'solana']
  expect(await shown()).toEqual(after)
  expect(await scene.tab.db.outbox.count()).toBe(1)
  await sync()
  expect(await shown()).toEqual(after)
  online()
  later(10 * MINUTE)
  await sync()
  expect([await shown(), await stored(), await scene.tab.db.outbox.count()]).toEqual([after, after, 0])
  expect(await notices()).toEqual([])
})

test('an exchange after which Premium came back meanwhile keeps its order, with every pair active', async () => {
  offline()
  await exchange('cardano', 'ethereum')
  await support.grant(me)
  online()
  later(10 * MINUTE)
  await sync()
  await scene.call('me', {})
  await sync()
  expect(await shown()).toEqual(['cardano +', 'solana +', 'ethereum +', 'ripple +'])
  expect(await notices()).toEqual([])
})

test('an exchange is refused where the two pairs are not inactive and active any more', async () => {
  const refused = { ok: false, message: 'These pairs have changed meanwhile. Nothing was exchanged.' }
  expect(await exchange('solana', 'ethereum')).toEqual(refused)
  expect(await exchange('ripple', 'cardano')).toEqual(refused)
  expect(await scene.tab.db.outbox.count()).toBe(0)
})

test('a server that knows no exchange refuses it, and the pairs show as before', async () => {
  const unknown = { detail: 'Unrecognized key: "exchange"', error_code: 'VALIDATION_ERROR' }
  scene.browser.setWay(({ path }) =>
    path === '/widgets/reorder' ? Response.json(unknown, { status: 422 }) : 'arrives',
  )
  await exchange('ripple', 'solana')
  await sync()
  expect(await shown()).toEqual(['ethereum +', 'solana +', 'cardano', 'ripple'])
  expect(await notices()).toContain('Error: Could not save your new layout.')
})
