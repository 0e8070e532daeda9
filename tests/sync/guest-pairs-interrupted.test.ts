import { describe, expect, test } from 'vitest'
import { deleteDefaultCheckpoint, saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { bringPairsAlong } from '../../src/db/commands/bring-guest-pairs'
import { retryChange } from '../../src/db/commands/failed-changes'
import { leaveExpiredSession, logOut } from '../../src/db/leave-owner'
import { removeWidget } from '../../src/db/commands/widgets'
import { setThreshold } from '../support/set-threshold'
import { MINUTE } from '../../src/domain/granularity'
import type { Fate } from './support/tabs'
import { json } from './support/wire'
import { guestScene, OTHERS } from './support/guest-scene'

const { scene, offer, shown, toldOf, toldGuest, elsewhere, bring, leave, logInAgain, guestWithPairs, memberHere } =
  guestScene()
const { context, board, sync, syncFor, addPair, pairs, notices, logInHere } = scene

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
    await bring()
    await logOut(context())
    expect(await shown()).toEqual(before)
    scene.online()
    await syncFor(2 * MINUTE)
    expect(await toldGuest()).toEqual(before)

    await logInAgain(email)
    expect(await offer()).toMatchObject({ ready: ['BIT/ETH', 'BIT/CAR', 'BIT/SOL'], there: 0, ask: true })
    await bring()
    expect([await toldOf(email), await shown(), await offer()]).toEqual([before, before, null])
    await leave()
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
    await bring()
    expect(await toldOf(bob)).toEqual([])
    await logOut(context())
    expect(await shown()).toEqual(before)
    await logInAgain(ada)
    expect([await toldOf(ada), await shown()]).toEqual([before, before])
    await leave()
    expect(await toldGuest()).toEqual([])
  })

  test('a create that the server refuses to the guest after the pair was sent for the user is not left to be tried again', async () => {
    await sync()
    await addPair('ethereum')
    const email = await scene.server.member()
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
    await bring()
    await logOut(context())
    scene.online()
    await logInAgain(email)
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
      await bring(10 * MINUTE)
      expect([await toldOf(email), await shown(), await offer(), await notices()]).toEqual([before, before, null, []])
      await leave()
      expect([await pairs(), await toldGuest()]).toEqual([[], []])
    },
  )

  test('a removed pair that is brought again is completed after one more logout in the midst', async () => {
    const { before, email } = await removedInAccount()
    scene.browser.setWay(({ method, path }) => (method === 'GET' || path === '/widgets' ? 'arrives' : 'lost-request'))
    await bring(10 * MINUTE)
    expect(await toldOf(email)).toHaveLength(3)
    await logOut(context())
    scene.online()
    await logInAgain(email)
    expect(await offer()).toMatchObject({ ready: ['BIT/SOL'], there: 0 })
    await bring(10 * MINUTE)
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
    await bring()
    await logOut(context())
    scene.online()
    await logInAgain(email)
    const third = (await board()).widgets[2]!
    expect(third.checkpoints).toHaveLength(1)
    await deleteDefaultCheckpoint(context(), third.id)
    await syncFor(MINUTE)
    await bring(10 * MINUTE)
    expect([await toldOf(email), await shown(), await offer(), await notices()]).toEqual([before, before, null, []])
    await leave()
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
    await logInAgain(ada, 5 * MINUTE)
    expect((await toldOf(ada)).map(([coin, high]) => [coin, high])).toEqual([
      ['ethereum', null],
      ['cardano', null],
      ['solana', 20],
    ])
    await leave()
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
    await leave()
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
    for (const [coinA, coinB] of OTHERS) await elsewhere(email).add(coinA, coinB)
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
    await leave()
    expect(await toldGuest()).toEqual([before[1]])
  })
})
