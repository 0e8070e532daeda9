import { expect, test } from 'vitest'
import { addWidget, removeWidget } from '../../src/db/commands/widgets'
import { bringPairsAlong, leavePairsWithGuest } from '../../src/db/commands/bring-guest-pairs'
import { logOut } from '../../src/db/leave-owner'
import { addRule } from '../../src/db/commands/rules'
import { saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { everySetting } from '../support/every-setting'
import { setThreshold } from '../support/set-threshold'
import { MINUTE } from '../../src/domain/granularity'
import type { Fate } from './support/tabs'
import { guestScene, OTHERS } from './support/guest-scene'

const {
  scene,
  offer,
  shown,
  toldOf,
  toldGuest,
  elsewhere,
  guest,
  bring,
  leave,
  logInAgain,
  guestWithPairs,
  memberHere,
} = guestScene()
const { context, board, sync, syncFor, addPair, pairs, notices, logInHere } = scene

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
  await logInAgain(email)
  expect([await shown(), await offer()]).toEqual([before, null])
})

test('every setting that a guest can change comes along to the account, and the pair’s alerts beside the thresholds', async () => {
  await sync()
  await addPair('ethereum')
  await syncFor(MINUTE)
  const settings = everySetting()
  expect((await guest().update((await guest().list())[0]!.id, settings)).status).toBe(200)
  const rule = { kind: 'trailing_fall', level: 7, window: null, margin: 2, hold_minutes: 30, repeat: 'once' } as const
  const more = { expires_at: '2030-01-01T00:00:00.000Z', loudness: 'quiet', note: 'lunch' } as const
  await addRule(context(), (await board()).widgets[0]!.id, { ...rule, ...more })
  await syncFor(2 * MINUTE)
  const email = await memberHere()
  await bring()
  expect([await elsewhere(email).list(), await guest().list()]).toMatchObject([
    [{ ...settings, rules: [{ ...rule, ...more }] }],
    [{ ...settings, rules: [{ ...rule, ...more }] }],
  ])
  await leave()
  expect(await guest().list()).toEqual([])
})

test('changes that the guest made without a network come along before the server has heard of them', async () => {
  await sync()
  await addPair('ethereum')
  await syncFor(MINUTE)
  scene.offline()
  await setThreshold(context(), (await board()).widgets[0]!.id, 'high', 12, false)
  await addPair('cardano')
  await saveCheckpoint(context(), (await board()).widgets[1]!.id, 5, { a: 10, b: 2 })
  await sync()
  const before = await shown()
  scene.online()
  const email = await memberHere()
  await bring()
  expect([await toldOf(email), await shown()]).toEqual([before, before])
  expect((await board()).widgets[1]!.checkpoints[0]!.prices).toEqual({ a: 10, b: 2 })
  await leave(30 * MINUTE)
  expect([await pairs(), await toldGuest()]).toEqual([[], []])
})

test('an answer to the guest that arrives after the login still counts for the guest’s pairs', async () => {
  await sync()
  await addPair('ethereum')
  const email = await scene.server.member()
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
  await bring()
  expect((await toldOf(email)).map(([coin]) => coin)).toEqual(['ethereum'])
  await leave()
  expect([await pairs(), await toldGuest()]).toEqual([[], []])
})

test('a pair that the user has already stays as it is, and the guest keeps the other copy', async () => {
  await guestWithPairs()
  const email = await memberHere()
  await addPair('solana')
  await syncFor(MINUTE)
  expect(await offer()).toMatchObject({ ready: ['BIT/ETH', 'BIT/CAR'], there: 1 })
  await bring()
  expect((await toldOf(email)).map(([coin, high]) => [coin, high])).toEqual([
    ['solana', null],
    ['ethereum', null],
    ['cardano', null],
  ])
  expect(await offer()).toBeNull()
  await leave()
  expect((await toldGuest()).map(([coin, high]) => [coin, high])).toEqual([['solana', 20]])
})

test('a pair that the user’s other device adds meanwhile stays as that device made it', async () => {
  const before = await guestWithPairs()
  const email = await memberHere()
  scene.offline()
  await bringPairsAlong(context())
  await elsewhere(email).create({ coin_a_id: 'bitcoin', coin_b_id: 'solana', high_threshold: 99 })
  scene.online()
  await syncFor(10 * MINUTE)
  const [mine] = (await toldOf(email)).filter(([coin]) => coin === 'solana')
  expect(mine).toEqual(['solana', 99, true, null, false, []])
  expect((await shown()).toSorted()).toEqual((await toldOf(email)).toSorted())
  await leave()
  expect(await toldGuest()).toEqual([before[2]])
})

test('pairs beyond the tier’s limit stay with the guest, and are offered again when there is room', async () => {
  await guestWithPairs()
  const email = await memberHere()
  for (const [coinA, coinB] of OTHERS) await addWidget(context(), { coinA, coinB })
  await syncFor(MINUTE)
  expect(await offer()).toMatchObject({ ready: ['BIT/ETH'], beyond: 2, ask: true })
  await bring()
  expect(await offer()).toMatchObject({ ready: [], beyond: 2, ask: false })
  await removeWidget(context(), (await board()).widgets[0]!.id)
  expect(await offer()).toMatchObject({ ready: ['BIT/CAR'], beyond: 1, ask: false })
  await bring()
  expect((await toldOf(email)).map(([coin]) => coin)).toEqual(['cardano', 'bitcoin', 'bitcoin', 'ethereum', 'cardano'])
  await logOut(context())
  expect(await pairs()).toEqual(['solana'])
})

test('a limit that only the server knows leaves the pairs with the guest, and says so once', async () => {
  const before = await guestWithPairs()
  const email = await memberHere()
  scene.offline()
  await bringPairsAlong(context())
  for (const [coinA, coinB] of OTHERS) await elsewhere(email).add(coinA, coinB)
  scene.online()
  await syncFor(10 * MINUTE)
  expect((await toldOf(email)).map(([coin]) => coin)).toEqual(['bitcoin', 'cardano', 'bitcoin', 'bitcoin', 'ethereum'])
  expect([(await board()).changes, (await notices()).length]).toEqual([[], 1])
  expect(await offer()).toMatchObject({ ready: [], beyond: 2 })
  await leave()
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
  await logInAgain(email)
  expect(await offer()).toMatchObject({ ask: true })
  await leavePairsWithGuest(context())
  await bring()
  expect([await toldOf(email), await offer()]).toEqual([before, null])
})
