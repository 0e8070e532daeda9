import { expect, test } from 'vitest'
import { beginGoogleSignIn, takeSignIn } from '../../src/db/google-sign-in'
import { keepRegistration, registrationSecrets } from '../../src/db/registrations'
import { DAY } from '../../src/domain/granularity'
import { oneTab } from './support/one-tab'
import { json } from './support/wire'

const scene = oneTab()

/** A refused change, an id that nothing names and a registration's secret. */
async function somethingOld() {
  const { db, engine } = scene.tab
  scene.browser.setWay(({ method }) =>
    method === 'POST' ? json(409, { detail: 'No.', error_code: 'OF_ANOTHER_VERSION' }) : 'arrives',
  )
  await engine.sync('start')
  await scene.addPair('ethereum')
  await engine.sync('command')
  await db.ids.put({ temp: 'temp-gone', real: 'gone', owner: scene.browser.guest })
  await keepRegistration(db, 'ada@example.com', 'secret', scene.tab.env.now())
  const there = async () => [
    (await scene.board()).changes.map(({ title }) => title),
    (await db.ids.get('temp-gone')) !== undefined,
    await registrationSecrets(db),
  ]
  return there
}
const ALL = [['Add BIT/ETH'], true, ['secret']]

/** A day on which the app is opened more than once. */
async function day() {
  scene.later(DAY)
  await scene.sync('start')
  await scene.sync('start')
}

test('a refused change and a registration’s secret stay for seven days, an unused temporary id for thirty', async () => {
  const there = await somethingOld()
  for (let days = 1; days <= 7; days++) await day()
  expect(await there()).toEqual(ALL)
  // The first look came when they were up to a day old.
  await day()
  expect(await there()).toEqual([[], true, []])
  for (let days = 9; days <= 30; days++) await day()
  expect(await there()).toEqual([[], true, []])
  await day()
  expect(await there()).toEqual([[], false, []])
})

test.each([
  ['eight days behind', -8 * DAY],
  ['a year ahead', 365 * DAY],
])('a clock that was %s and is set right, again and again, takes nothing old away', async (_, error) => {
  scene.browser.setClockError(error)
  const there = await somethingOld()
  for (const wrong of [0, error, 0]) {
    scene.browser.setClockError(wrong)
    await scene.sync('start')
  }
  expect(await there()).toEqual(ALL)
})

test('a temporary id that comes into use again has another thirty days', async () => {
  const { db } = scene.tab
  await scene.sync('start')
  await db.ids.put({ temp: 'temp-1', real: 'temp-2', owner: scene.browser.guest, unused_looks: 29 })
  await db.ids.put({ temp: 'temp-2', real: 'gone', owner: scene.browser.guest, unused_looks: 29 })
  await scene.addPair('ethereum')
  const [entry] = await db.outbox.toArray()
  await db.outbox.update(entry!.seq!, { payload: { ...entry!.payload, before: 'temp-1' } as never })
  scene.offline()
  await day()
  await day()
  expect(await db.ids.toArray()).toEqual([{ temp: 'temp-1', real: 'temp-2', owner: scene.browser.guest }])
})

test('a Google sign-in that was begun before the clock was set can be ended, and only the ten begun last are kept', async () => {
  const google = { client_id: 'id', authorization_url: 'https://accounts.example/auth' }
  const begin = async () => {
    const address = await beginGoogleSignIn(scene.context(), google, 'https://app.example')
    return new URL(address).searchParams.get('state')!
  }
  const first = await begin()
  scene.browser.setClockError(-DAY)
  const second = await begin()
  expect(await takeSignIn(scene.tab.db, first)).toBeDefined()
  for (let count = 0; count < 10; count++) await begin()
  expect(await takeSignIn(scene.tab.db, second)).toBeUndefined()
})
