import { beforeEach, describe, expect, test, vi } from 'vitest'
import { startClock } from '../../src/app/bridge/clock'
import { readOwnerSyncState } from '../../src/db/owner-sync-state'
import { removeWidget } from '../../src/db/commands/widgets'
import { readBoard } from '../../src/db/board-rows'
import { MINUTE } from '../../src/domain/granularity'
import type { OwnerId } from '../../src/domain/ids'
import type { SyncReason } from '../../src/domain/sync-reason'
import type { Operator } from '../server/support/admin'
import { idle } from '../db/support/idle'
import { collectReports } from '../support/reports'
import { oneTab } from './support/one-tab'
import type { Fate } from './support/tabs'

const scene = oneTab({ env: { FREE_MAX_WIDGETS: '2', PREMIUM_MAX_WIDGETS: '3' } })
const { view, logInHere, addPair, notices, later } = scene
const COINS = ['ethereum', 'solana', 'cardano']

let support: Operator
let me: string
beforeEach(async () => {
  support = await scene.server.operator()
  const email = await scene.server.member()
  me = (await scene.server.rowOf(email)).id
  await logInHere(email)
})

/** The rows that the server last sent of the pairs, in their order. */
const active = async (): Promise<readonly boolean[]> =>
  (await scene.tab.db.widgets.toCollection().sortBy('display_order')).map((row) => row.is_active)
const asked = (path: string): number =>
  scene.browser.sent.filter((one) => one.method === 'GET' && one.path === path).length
/** A visible page whose only ticks are the test's. */
function openPage() {
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => undefined })
  vi.stubGlobal('window', { addEventListener: () => undefined })
  vi.stubGlobal('setInterval', () => 0)
  const { reports, report } = collectReports()
  const syncs: Promise<unknown>[] = []
  const sync = async (reason: SyncReason): Promise<null> => {
    const done = scene.tab.engine.sync(reason)
    syncs.push(done)
    await done
    return null
  }
  return {
    sync: startClock({ db: scene.tab.db, sync, onWaiting: () => undefined, onFailure: report }),
    idle: async () => {
      for (let known = -1; known < syncs.length; await idle(scene.tab.db)) {
        known = syncs.length
        await Promise.all(syncs)
      }
      expect(reports).toEqual([])
    },
  }
}
const syncState = () => readOwnerSyncState(scene.tab.db, me as OwnerId)

/** Premium, with three pairs of which free would track two. */
async function withPremium(): Promise<void> {
  expect((await support.grant(me)).status).toBe(200)
  expect(await scene.call('me', {})).toMatchObject({ ok: true })
  await scene.tab.engine.sync('start')
  for (const coin of COINS) expect(await addPair(coin)).toMatchObject({ ok: true })
  await scene.tab.engine.sync('command')
  expect(await active()).toEqual([true, true, true])
}

describe('change of tier', () => {
  test('a tier change shows on an open page with its pairs in one sync, though the pairs were answered before', async () => {
    await withPremium()
    let [pairsAnswered, pairsAreAnswered] = [false, () => undefined as void]
    const answered = new Promise<void>((resolve) => (pairsAreAnswered = resolve))
    scene.browser.setWay(async ({ method, path }, arrive): Promise<Fate> => {
      if (path === '/users/me') await answered
      if (method === 'GET' && path === '/widgets' && !pairsAnswered) {
        pairsAnswered = true
        await arrive()
        expect((await support.revoke(me)).status).toBe(200)
        pairsAreAnswered()
      }
      return 'arrives'
    })
    const pulls = asked('/widgets')
    const { sync, idle } = openPage()
    later(MINUTE)
    sync('tick')
    await vi.waitFor(async () => expect(await active()).toEqual([true, true, false]), 20_000)
    await vi.waitFor(async () => expect(await view()).toMatchObject({ account: 'free' }), 20_000)
    expect(await readBoard(scene.tab.db)).toMatchObject({
      account: 'free',
      widgets: [true, true, false].map((isActive) => ({ isActive })),
    })
    expect(asked('/widgets') - pulls).toBe(2)

    await support.grant(me)
    later(MINUTE)
    sync('tick')
    // Pairs and account are answered side by side.
    await vi.waitFor(async () => expect(await active()).toEqual([true, true, true]), 20_000)
    await vi.waitFor(async () => expect(await view()).toMatchObject({ account: 'premium' }), 20_000)
    await idle()
  })

  test('a tier change makes the next sync ask for the pairs, however lately that was; the same tier does not', async () => {
    await withPremium()
    const pulls = asked('/widgets')
    await scene.call('me', {})
    await scene.tab.engine.sync('command')
    expect(asked('/widgets')).toBe(pulls)
    await support.revoke(me)
    await scene.call('me', {})
    await scene.tab.engine.sync('command')
    expect(asked('/widgets')).toBe(pulls + 1)
    expect(await active()).toEqual([true, true, false])
  })

  test('a tier change that a refusal shows first makes the next sync ask for the account', async () => {
    await withPremium()
    const first = (await readBoard(scene.tab.db))!.widgets[0]!
    await removeWidget(scene.tab.context, first.id)
    await scene.tab.engine.sync('command')
    await support.revoke(me)
    later(5_000)
    const looks = asked('/users/me')
    await addPair('dogecoin')
    await scene.tab.engine.sync('command')
    expect(await notices()).toContain(
      "You've reached the maximum number of widgets for your tier. Please upgrade to add more.",
    )
    expect([await view(), asked('/users/me')]).toMatchObject([{ account: 'premium' }, looks])
    expect(await syncState()).toMatchObject({ needs_account_refresh: true })
    await scene.tab.engine.sync('command')
    expect([await view(), asked('/users/me')]).toMatchObject([{ account: 'free' }, looks + 1])
    expect(await syncState()).toMatchObject({ needs_account_refresh: false })
  })
})

const shown = async () => (await readBoard(scene.tab.db))!.widgets.map(({ isActive }) => isActive)
/** As a server process does that starts with lower limits. */
const lower = async (slots: number) => {
  const { pool } = scene.server.database
  await pool.query(`UPDATE widgets SET is_active = display_order < ${slots}`)
  await pool.query('UPDATE owner_revisions SET widgets = widgets + 1')
}

test('pairs that the server has made inactive are inactive from the next pull on, though the limit known here allows them', async () => {
  for (const coin of COINS.slice(0, 2)) expect(await addPair(coin)).toMatchObject({ ok: true })
  await scene.tab.engine.sync('command')
  expect(await shown()).toEqual([true, true])
  await lower(1)
  scene.browser.setWay(({ path }) => (path === '/settings/tier-limits' ? 'lost-request' : 'arrives'))
  later(MINUTE)
  await scene.tab.engine.sync('tick')
  expect(await shown()).toEqual([true, false])
  expect(await view()).toMatchObject({ account: 'free' })
})

test('a pull whose rows contradict the known limit asks for the limits once, and a pull that agrees with it does not', async () => {
  for (const coin of COINS.slice(0, 2)) await addPair(coin)
  await scene.tab.engine.sync('command')
  const limits = asked('/settings/tier-limits')
  later(MINUTE)
  await scene.tab.engine.sync('tick')
  expect(asked('/settings/tier-limits')).toBe(limits)
  await lower(1)
  later(MINUTE)
  await scene.tab.engine.sync('tick')
  expect(asked('/settings/tier-limits')).toBe(limits + 1)
  expect(await shown()).toEqual([true, false])
})

test('the removal of an active pair makes the next one active before, with and after its answer', async () => {
  await withPremium()
  await support.revoke(me)
  await scene.call('me', {})
  await scene.tab.engine.sync('command')
  expect(await shown()).toEqual([true, true, false])
  await removeWidget(scene.tab.context, (await readBoard(scene.tab.db))!.widgets[0]!.id)
  expect(await shown()).toEqual([true, true])
  scene.browser.setWay(({ method, path }) => (method === 'GET' && path === '/widgets' ? 'lost-request' : 'arrives'))
  await scene.tab.engine.sync('command')
  expect(await scene.tab.db.outbox.count()).toBe(0)
  expect(await active()).toEqual([true, true])
  expect(await syncState()).toMatchObject({ needs_pull: true })
  scene.browser.setWay(() => 'arrives')
  await scene.tab.engine.sync('tick')
  expect(await active()).toEqual([true, true])
})

test.each([
  ['visible', 4_999, 0],
  ['visible', 5_000, 1],
  ['start', 4_999, 0],
  ['start', 5_000, 1],
  ['tick', 59_999, 0],
  ['tick', 60_000, 1],
  ['command', 59_999, 0],
  ['online', 2_000, 1],
] as const)('a sync for "%s" %i ms after the account was loaded loads it %i times', async (reason, ms, times) => {
  await scene.tab.engine.sync('start')
  const looks = asked('/users/me')
  later(ms)
  await scene.tab.engine.sync(reason)
  expect(asked('/users/me') - looks).toBe(times)
})

test('a return to the tab during the sync of a mutation loads the account once', async () => {
  await scene.tab.engine.sync('start')
  later(5_000)
  const looks = asked('/users/me')
  await addPair('ethereum')
  const first = scene.tab.engine.sync('command')
  await Promise.all([first, scene.tab.engine.sync('command'), scene.tab.engine.sync('visible')])
  expect(asked('/users/me') - looks).toBe(1)
})
