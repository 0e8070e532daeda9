import 'fake-indexeddb/auto'
import { describe, expect, test } from 'vitest'
import { addWidget } from '../../src/db/commands/add-widget'
import { deleteDefaultCheckpoint } from '../../src/db/commands/delete-default-checkpoint'
import { bringPairsAlong, leavePairsWithGuest } from '../../src/db/commands/guest-pairs'
import { retryChange } from '../../src/db/commands/failed-changes'
import { leaveExpiredSession } from '../../src/db/commands/leave-expired-session'
import { logOut } from '../../src/db/commands/log-out'
import { removeWidget } from '../../src/db/commands/remove-widget'
import { saveCheckpoint } from '../../src/db/commands/save-checkpoint'
import { setThreshold } from '../../src/db/commands/set-threshold'
import { updateWidget } from '../../src/db/commands/update-widget'
import { readBoard } from '../../src/db/queries/board'
import { readGuestOffer } from '../../src/db/queries/guest-offer'
import type { CoinId } from '../../src/domain/ids'
import { MINUTE } from '../../src/domain/granularity'
import { bearer, member, session as sessionOf } from '../server/support/accounts'
import { person } from '../server/support/person'
import { oneTab } from './support/one-tab'
import type { Fate } from './support/tabs'
import { json } from './support/wire'

const OTHERS = [['ethereum', 'bitcoin'], ['ethereum', 'cardano'], ['cardano', 'bitcoin'], ['solana', 'bitcoin']] as [CoinId, CoinId][] // prettier-ignore

const scene = oneTab()
const { addPair, pairs, notices, later, logInHere } = scene

const context = () => scene.tab.context
const board = async () => (await readBoard(scene.tab.db))!
const offer = () => readGuestOffer(scene.tab.db)
const sync = () => scene.tab.engine.sync('tick')
const syncFor = async (ms: number) => {
  for (let passed = 0; passed < ms; passed += 75_000) {
    later(75_000)
    await sync()
  }
}
/** A board's content without ids. */
const shown = async () =>
  (await board()).widgets.map((one) => [one.coinB.id, one.highThreshold, one.highThresholdActive, one.lowThreshold, one.notificationsEnabled, one.checkpoints.map(({ ratio }) => ratio)]) // prettier-ignore
const told = async (headers: () => Promise<Record<string, string>>) =>
  (await person(scene.server.app, headers).list()).map((one) => [one.coin_b_id, one.high_threshold, one.high_threshold_active, one.low_threshold, one.notifications_enabled, one.checkpoints.map(({ ratio }) => ratio)]) // prettier-ignore
const toldOf = (email: string) => told(async () => bearer((await sessionOf(scene.server, email)).access_token))
const toldGuest = () => told(async () => ({ 'x-anonymous-user-id': scene.browser.guest }))

/** A guest with three pairs; the last added has thresholds, one of which has fired, alerts and a checkpoint. */
async function guestWithPairs() {
  await sync()
  for (const coin of ['ethereum', 'cardano', 'solana']) await addPair(coin)
  const third = (await board()).widgets[2]!
  await updateWidget(context(), third.id, { high_threshold: 20, low_threshold: 3, notifications_enabled: true })
  await updateWidget(context(), third.id, { high_threshold_active: false })
  await saveCheckpoint(context(), third.id, 7)
  await syncFor(MINUTE)
  return shown()
}

async function memberHere() {
  const email = await member(scene.server)
  await logInHere(email)
  await syncFor(2 * MINUTE)
  return email
}

describe('pairs of a guest who has logged in', () => {
  test('pairs come along with thresholds, fired sides, alerts and checkpoints in the guest’s order, and the guest has none after logout', async () => {
    const before = await guestWithPairs()
    const email = await memberHere()
    expect(await offer()).toMatchObject({ ready: ['BIT/ETH', 'BIT/CAR', 'BIT/SOL'], beyond: 0, there: 0, ask: true })

    await bringPairsAlong(context())
    expect([await shown(), await offer()]).toEqual([before, null])
    await syncFor(2 * MINUTE)
    expect([await toldOf(email), await shown(), await offer(), await notices()]).toEqual([before, before, null, []])
    expect(await toldGuest()).toEqual(before)

    await logOut(context())
    expect(await pairs()).toEqual([])
    await syncFor(2 * MINUTE)
    expect([await toldGuest(), await pairs(), await notices()]).toEqual([[], [], []])
    await logInHere(email)
    await syncFor(2 * MINUTE)
    expect([await shown(), await offer()]).toEqual([before, null])
  })

  test('changes that the guest made without a network come along before the server has heard of them', async () => {
    await sync()
    await addPair('ethereum')
    await syncFor(MINUTE)
    scene.offline()
    await setThreshold(context(), (await board()).widgets[0]!.id, 'high', 12, false)
    await addPair('cardano')
    await saveCheckpoint(context(), (await board()).widgets[1]!.id, 5)
    await sync()
    const before = await shown()
    scene.online()
    const email = await memberHere()
    await bringPairsAlong(context())
    await syncFor(2 * MINUTE)
    expect([await toldOf(email), await shown()]).toEqual([before, before])
    await logOut(context())
    await syncFor(30 * MINUTE)
    expect([await pairs(), await toldGuest()]).toEqual([[], []])
  })

  test('an answer to the guest that arrives after the login still counts for the guest’s pairs', async () => {
    await sync()
    await addPair('ethereum')
    const email = await member(scene.server)
    let done = false
    scene.browser.setWay(async ({ method, path }, arrive): Promise<Fate> => {
      if (method !== 'POST' || path !== '/widgets' || done) return 'arrives'
      done = true
      await arrive()
      await logInHere(email)
      return 'arrives'
    })
    await sync()
    await syncFor(2 * MINUTE)
    expect(await offer()).toMatchObject({ ready: ['BIT/ETH'] })
    await bringPairsAlong(context())
    await syncFor(2 * MINUTE)
    expect((await toldOf(email)).map(([coin]) => coin)).toEqual(['ethereum'])
    await logOut(context())
    await syncFor(2 * MINUTE)
    expect([await pairs(), await toldGuest()]).toEqual([[], []])
  })

  test('a pair that the user has already stays as it is, and the guest keeps the other copy', async () => {
    await guestWithPairs()
    const email = await memberHere()
    await addPair('solana')
    await syncFor(MINUTE)
    expect(await offer()).toMatchObject({ ready: ['BIT/ETH', 'BIT/CAR'], there: 1 })
    await bringPairsAlong(context())
    await syncFor(2 * MINUTE)
    expect((await toldOf(email)).map(([coin, high]) => [coin, high])).toEqual([['solana', null], ['ethereum', null], ['cardano', null]]) // prettier-ignore
    expect(await offer()).toBeNull()
    await logOut(context())
    await syncFor(2 * MINUTE)
    expect((await toldGuest()).map(([coin, high]) => [coin, high])).toEqual([['solana', 20]])
  })

  test('a pair that the user’s other device adds meanwhile stays as that device made it', async () => {
    const before = await guestWithPairs()
    const email = await memberHere()
    scene.offline()
    await bringPairsAlong(context())
    const elsewhere = person(scene.server.app, async () => bearer((await sessionOf(scene.server, email)).access_token))
    await elsewhere.create({ coin_a_id: 'bitcoin', coin_b_id: 'solana', high_threshold: 99 })
    scene.online()
    await syncFor(10 * MINUTE)
    const [mine] = (await toldOf(email)).filter(([coin]) => coin === 'solana')
    expect(mine).toEqual(['solana', 99, true, null, false, []])
    expect((await shown()).toSorted()).toEqual((await toldOf(email)).toSorted())
    await logOut(context())
    await syncFor(2 * MINUTE)
    expect(await toldGuest()).toEqual([before[2]])
  })

  test('pairs beyond the tier’s limit stay with the guest, and are offered again when there is room', async () => {
    await guestWithPairs()
    const email = await memberHere()
    for (const [coinA, coinB] of OTHERS) await addWidget(context(), { coinA, coinB })
    await syncFor(MINUTE)
    expect(await offer()).toMatchObject({ ready: ['BIT/ETH'], beyond: 2, ask: true })
    await bringPairsAlong(context())
    await syncFor(2 * MINUTE)
    expect(await offer()).toMatchObject({ ready: [], beyond: 2, ask: false })
    await removeWidget(context(), (await board()).widgets[0]!.id)
    expect(await offer()).toMatchObject({ ready: ['BIT/CAR'], beyond: 1, ask: false })
    await bringPairsAlong(context())
    await syncFor(2 * MINUTE)
    expect((await toldOf(email)).map(([coin]) => coin)).toEqual(['cardano', 'bitcoin', 'bitcoin', 'ethereum', 'cardano']) // prettier-ignore
    await logOut(context())
    expect(await pairs()).toEqual(['solana'])
  })

  test('a limit that only the server knows leaves the pairs with the guest, and says so once', async () => {
    const before = await guestWithPairs()
    const email = await memberHere()
    scene.offline()
    await bringPairsAlong(context())
    const elsewhere = person(scene.server.app, async () => bearer((await sessionOf(scene.server, email)).access_token))
    for (const [coinA, coinB] of OTHERS) await elsewhere.add(coinA, coinB)
    scene.online()
    await syncFor(10 * MINUTE)
    expect((await toldOf(email)).map(([coin]) => coin)).toEqual(['bitcoin', 'cardano', 'bitcoin', 'bitcoin', 'ethereum']) // prettier-ignore
    expect([(await board()).changes, (await notices()).length]).toEqual([[], 1])
    expect(await offer()).toMatchObject({ ready: [], beyond: 2 })
    await logOut(context())
    await syncFor(2 * MINUTE)
    expect(await toldGuest()).toEqual(before.slice(1))
  })

  test('"Not now" leaves everything with the guest, holds until the next login, and can be taken back', async () => {
    const before = await guestWithPairs()
    const email = await memberHere()
    await leavePairsWithGuest(context())
    expect(await offer()).toMatchObject({ ready: ['BIT/ETH', 'BIT/CAR', 'BIT/SOL'], ask: false })
    await syncFor(2 * MINUTE)
    expect([await toldOf(email), await toldGuest()]).toEqual([[], before])
    await logOut(context())
    expect(await shown()).toEqual(before)
    await logInHere(email)
    await syncFor(2 * MINUTE)
    expect(await offer()).toMatchObject({ ask: true })
    await leavePairsWithGuest(context())
    await bringPairsAlong(context())
    await syncFor(2 * MINUTE)
    expect([await toldOf(email), await offer()]).toEqual([before, null])
  })
})

describe('interrupted bringing along of a guest’s pairs', () => {
  test('pairs are brought once where two tabs do so at once', async () => {
    const before = await guestWithPairs()
    const email = await memberHere()
    const other = scene.browser.open()
    await Promise.all([bringPairsAlong(context()), bringPairsAlong(other.context)])
    await Promise.all([sync(), other.engine.sync('tick')])
    await syncFor(2 * MINUTE)
    expect([await toldOf(email), await shown(), await notices()]).toEqual([before, before, []])
  })

  test('a logout in the midst loses nothing, and the next login of the same user ends with each pair once', async () => {
    const before = await guestWithPairs()
    const email = await memberHere()
    let answered = 0
    // The server does two requests whose answers are lost, and hears of no more.
    scene.browser.setWay(({ method }) => (method !== 'GET' && answered++ < 2 ? 'lost-answer' : 'lost-request'))
    await bringPairsAlong(context())
    await syncFor(2 * MINUTE)
    await logOut(context())
    expect(await shown()).toEqual(before)
    scene.online()
    await syncFor(2 * MINUTE)
    expect(await toldGuest()).toEqual(before)

    await logInHere(email)
    await syncFor(2 * MINUTE)
    expect(await offer()).toMatchObject({ ready: ['BIT/ETH', 'BIT/CAR', 'BIT/SOL'], there: 0, ask: true })
    await bringPairsAlong(context())
    await syncFor(2 * MINUTE)
    expect([await toldOf(email), await shown(), await offer()]).toEqual([before, before, null])
    await logOut(context())
    await syncFor(2 * MINUTE)
    expect([await toldGuest(), await pairs()]).toEqual([[], []])
  })

  test('pairs on their way to one user are not offered to the next, and arrive when the first is back', async () => {
    const before = await guestWithPairs()
    const ada = await memberHere()
    scene.offline()
    await bringPairsAlong(context())
    await leaveExpiredSession(context(), (await scene.browser.session()).owner)
    scene.online()
    const bob = await memberHere()
    expect(await offer()).toBeNull()
    await bringPairsAlong(context())
    await syncFor(2 * MINUTE)
    expect(await toldOf(bob)).toEqual([])
    await logOut(context())
    expect(await shown()).toEqual(before)
    await logInHere(ada)
    await syncFor(2 * MINUTE)
    expect([await toldOf(ada), await shown()]).toEqual([before, before])
    await logOut(context())
    await syncFor(2 * MINUTE)
    expect(await toldGuest()).toEqual([])
  })

  test('a create that the server refuses to the guest after the pair was sent for the user is not left to be tried again', async () => {
    await sync()
    await addPair('ethereum')
    const email = await member(scene.server)
    let done = false
    scene.browser.setWay(async ({ method, path }): Promise<Fate> => {
      if (method !== 'POST' || path !== '/widgets' || done) return 'arrives'
      done = true
      await logInHere(email)
      await bringPairsAlong(context())
      return json(409, { detail: 'No.', error_code: 'OF_ANOTHER_VERSION' })
    })
    await sync()
    await syncFor(2 * MINUTE)
    expect((await toldOf(email)).map(([coin]) => coin)).toEqual(['ethereum'])
    await logOut(context())
    expect([(await board()).changes, await pairs()]).toEqual([[], []])
  })

  /** The server makes the user's pairs and hears of no more before the logout; after the next login the last of them is removed. */
  async function removedInAccount() {
    const before = await guestWithPairs()
    const email = await memberHere()
    scene.browser.setWay(({ method, path }) => (method === 'GET' || path === '/widgets' ? 'arrives' : 'lost-request'))
    await bringPairsAlong(context())
    await syncFor(2 * MINUTE)
    await logOut(context())
    scene.online()
    await logInHere(email)
    await syncFor(2 * MINUTE)
    await removeWidget(context(), (await board()).widgets.find(({ coinB }) => coinB.id === 'solana')!.id)
    await syncFor(MINUTE)
    expect(await offer()).toMatchObject({ ready: ['BIT/SOL'] })
    return { before, email }
  }

  test.each([
    ['its first attempt', []],
    ['an attempt after one that had no answer', ['lost-request']],
  ] as [string, Fate[]][])(
    'a pair that the user has removed since an earlier try is brought whole, where the server tells of that to %s',
    async (_, fates) => {
      const { before, email } = await removedInAccount()
      const left = [...fates]
      scene.browser.setWay(({ method }) => (method === 'GET' ? 'arrives' : (left.shift() ?? 'arrives')))
      await bringPairsAlong(context())
      await syncFor(10 * MINUTE)
      expect([await toldOf(email), await shown(), await offer(), await notices()]).toEqual([before, before, null, []])
      await logOut(context())
      await syncFor(2 * MINUTE)
      expect([await pairs(), await toldGuest()]).toEqual([[], []])
    },
  )

  test('a removed pair that is brought again is completed after one more logout in the midst', async () => {
    const { before, email } = await removedInAccount()
    scene.browser.setWay(({ method, path }) => (method === 'GET' || path === '/widgets' ? 'arrives' : 'lost-request'))
    await bringPairsAlong(context())
    await syncFor(10 * MINUTE)
    expect(await toldOf(email)).toHaveLength(3)
    await logOut(context())
    scene.online()
    await logInHere(email)
    await syncFor(2 * MINUTE)
    expect(await offer()).toMatchObject({ ready: ['BIT/SOL'], there: 0 })
    await bringPairsAlong(context())
    await syncFor(10 * MINUTE)
    expect([await toldOf(email), await offer()]).toEqual([before, null])
  })

  test('a checkpoint that the user has deleted since an earlier try is brought again with its pair', async () => {
    const before = await guestWithPairs()
    const email = await memberHere()
    let made = false
    scene.browser.setWay(({ path }) => {
      if (made) return 'lost-request'
      made = path.endsWith('/checkpoints')
      return made ? 'lost-answer' : 'arrives'
    })
    await bringPairsAlong(context())
    await syncFor(2 * MINUTE)
    await logOut(context())
    scene.online()
    await logInHere(email)
    await syncFor(2 * MINUTE)
    const third = (await board()).widgets[2]!
    expect(third.checkpoints).toHaveLength(1)
    await deleteDefaultCheckpoint(context(), third.id)
    await syncFor(MINUTE)
    await bringPairsAlong(context())
    await syncFor(10 * MINUTE)
    expect([await toldOf(email), await shown(), await offer(), await notices()]).toEqual([before, before, null, []])
    await logOut(context())
    await syncFor(2 * MINUTE)
    expect([await pairs(), await toldGuest()]).toEqual([[], []])
  })

  test('a pair that the guest changes after it was sent stays with the guest as well', async () => {
    await guestWithPairs()
    const ada = await memberHere()
    scene.offline()
    await bringPairsAlong(context())
    await leaveExpiredSession(context(), (await scene.browser.session()).owner)
    await setThreshold(context(), (await board()).widgets[0]!.id, 'high', 77, true)
    scene.online()
    await logInHere(ada)
    await syncFor(5 * MINUTE)
    expect((await toldOf(ada)).map(([coin, high]) => [coin, high])).toEqual([['ethereum', null], ['cardano', null], ['solana', 20]]) // prettier-ignore
    await logOut(context())
    await syncFor(2 * MINUTE)
    expect((await toldGuest()).map(([coin, high]) => [coin, high])).toEqual([['ethereum', 77]])
  })

  test('what the user does to a pair that is still on its way stays done', async () => {
    await guestWithPairs()
    const email = await memberHere()
    scene.offline()
    await bringPairsAlong(context())
    const [first, , third] = (await board()).widgets
    await setThreshold(context(), third!.id, 'high', 44, true)
    await removeWidget(context(), first!.id)
    scene.online()
    await syncFor(5 * MINUTE)
    expect((await toldOf(email)).map(([coin, high]) => [coin, high])).toEqual([
      ['cardano', null],
      ['solana', 44],
    ])
    expect(await offer()).toMatchObject({ ready: ['BIT/ETH'], ask: false })
    await logOut(context())
    await syncFor(2 * MINUTE)
    expect((await toldGuest()).map(([coin]) => coin)).toEqual(['ethereum'])
  })
  test('what the user does to a pair on its way is not lost where a limit refuses the pair, and is sent where there is room', async () => {
    const before = await guestWithPairs()
    const email = await memberHere()
    scene.offline()
    await bringPairsAlong(context())
    await setThreshold(context(), (await board()).widgets[2]!.id, 'high', 44, true)
    await saveCheckpoint(context(), (await board()).widgets[2]!.id, 9)
    const changed = (await shown())[2]!
    expect([changed[1], changed[5]]).toEqual([44, [9]])
    const elsewhere = person(scene.server.app, async () => bearer((await sessionOf(scene.server, email)).access_token))
    for (const [coinA, coinB] of OTHERS) await elsewhere.add(coinA, coinB)
    scene.online()
    await syncFor(10 * MINUTE)
    const refused = (await board()).changes
    expect(refused.map(({ title }) => title)).toContain('Save a checkpoint of BIT/SOL')
    expect(await offer()).toMatchObject({ ready: [], beyond: 1 })

    await removeWidget(context(), (await board()).widgets[1]!.id)
    for (const { opId } of refused) await retryChange(context(), opId)
    await syncFor(10 * MINUTE)
    expect(await toldOf(email)).toContainEqual(changed)
    expect((await board()).changes).toEqual([])
    await logOut(context())
    await syncFor(2 * MINUTE)
    expect(await toldGuest()).toEqual([before[1]])
  })
})
