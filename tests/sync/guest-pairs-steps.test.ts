import { afterEach, beforeEach, expect, test } from 'vitest'
import { bringPairsAlong, readGuestOffer } from '../../src/db/commands/bring-guest-pairs'
import { saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { addWidget } from '../../src/db/commands/widgets'
import { logOut } from '../../src/db/leave-owner'
import { readBoard } from '../../src/db/board-rows'
import { INITIAL_SETTINGS } from '../../src/db/widget-settings'
import type { Widget } from '../../src/contract/widget'
import type { CoinId } from '../../src/domain/ids'
import { MINUTE } from '../../src/domain/granularity'
import { bearer, PASSWORD } from '../server/support/accounts'
import { withServer } from '../server/support/for-file'
import { type Person, person } from '../server/support/person'
import { startTabs, type Tab, type TabsBrowser } from './support/tabs'
import { everySetting } from '../support/every-setting'
import { OTHERS } from './support/guest-scene'

const server = withServer()
let browser: TabsBrowser
let tab: Tab
const renew = async () => {
  browser = await startTabs(server, { market: false })
  tab = browser.open()
}
beforeEach(renew)
afterEach(() => browser.close())

/** All fields of the contract that a pair brings along. */
const told = async (who: Person) =>
  (await who.list()).map((one) => [
    one.coin_b_id,
    ...Object.keys(INITIAL_SETTINGS).map((name) => one[name as keyof Widget]),
    one.checkpoints.map(({ ratio, timestamp, is_default }) => [ratio, timestamp, is_default]),
  ])

const syncFor = async ({ engine }: Tab, ms: number) => {
  for (let passed = 0; passed < ms; passed += 75_000) {
    server.clock.advance(75_000)
    await engine.sync('tick')
  }
}

/** A guest with two pairs, one of them with each setting and a checkpoint, who has become a user. */
async function guestBecomesUser(has: number) {
  await tab.engine.sync('start')
  for (const coin of ['ethereum', 'solana'] as CoinId[]) {
    await addWidget(tab.context, { coinA: 'bitcoin' as CoinId, coinB: coin })
  }
  await tab.engine.sync('command')
  const guest = person(server.app, async () => ({ 'x-anonymous-user-id': browser.guest }))
  const [first] = await guest.list()
  await guest.update(first!.id, everySetting())
  await saveCheckpoint(tab.context, first!.id, 7)
  await syncFor(tab, 2 * MINUTE)
  const email = await server.member()
  const user = person(server.app, async () => bearer((await server.session(email)).access_token))
  for (const [coinA, coinB] of OTHERS.slice(0, has)) await user.add(coinA, coinB)
  const [before, own] = [await told(guest), await told(user)]
  await tab.engine.call('logIn', { username: email, password: PASSWORD })
  await syncFor(tab, MINUTE)
  return { guest, user, before, own }
}

const FREE_MAX = 5

/**
 * Brings the pairs along in a tab that dies with the n-th transaction that may write; another tab goes on.
 * @returns false where the tab had done all of it before
 */
async function diesAtStep(step: number, { has = 0, twoTabs = false, offline = false }): Promise<boolean> {
  const { guest, user, before, own } = await guestBecomesUser(has)
  const other = browser.open()
  const fits = Math.min(before.length, FREE_MAX - has)
  let died = false
  const death = new Promise<void>((resolve) => {
    tab.dieAfterWrites(step, () => {
      died = true
      // A browser frees the locks of a dead tab in a task of its own.
      setImmediate(() => {
        browser.kill(tab)
        resolve()
      })
    })
  })
  if (offline) browser.setWay(() => 'lost-request')
  const inOneTab = async (one: Tab) => {
    await bringPairsAlong(one.context)
    await one.engine.sync('command')
  }
  // The work of a tab that dies never ends, or fails.
  const dying = Promise.race([
    inOneTab(tab).catch((error: unknown) => {
      if (!died) throw error
      return death
    }),
    death,
  ])
  await Promise.all([dying, twoTabs && inOneTab(other)])
  if (offline) browser.setWay(() => 'arrives')
  await syncFor(other, 10 * MINUTE)
  for (let again = 0; ((await readGuestOffer(other.db))?.ready.length ?? 0) > 0; again++) {
    expect(again).toBeLessThan(3)
    await bringPairsAlong(other.context)
    await syncFor(other, 10 * MINUTE)
  }
  const { widgets, changes } = (await readBoard(other.db))!
  const ended = { user: await told(user), screen: widgets.length, changes }
  expect(ended, `step ${step}`).toEqual({ user: [...own, ...before.slice(0, fits)], screen: has + fits, changes: [] })
  // The server learns of the removals when the guest is back.
  await logOut(other.context)
  await syncFor(other, 5 * MINUTE)
  expect(await told(guest), `step ${step}`).toEqual(before.slice(fits))
  return died
}

async function killedAtEachStep(way: Parameters<typeof diesAtStep>[1]): Promise<void> {
  let steps = 0
  for (let died = true; died; await renew()) {
    died = await diesAtStep(++steps, way)
    browser.close()
  }
  expect(steps).toBeGreaterThan(10)
}

test(
  'a guest’s pairs arrive equal by every field of the contract, killed after each transaction, offline',
  { timeout: 600_000 },
  () => killedAtEachStep({ offline: true }),
)

test.each([
  ['in one tab', {}],
  ['beside another tab that does the same', { twoTabs: true }],
  ['over the limit', { has: FREE_MAX - 1 }],
])(
  'a guest’s pairs arrive equal by every field of the contract, killed after each transaction, %s',
  { tags: ['full'], timeout: 600_000 },
  (_, way) => killedAtEachStep(way),
)
