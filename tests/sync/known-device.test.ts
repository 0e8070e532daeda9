import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { clearCache } from '../../src/db/commands/clear-cache'
import { logOut } from '../../src/db/commands/log-out'
import { readMeta } from '../../src/db/queries/meta'
import { link, logIn, member } from '../server/support/accounts'
import { testApp } from '../server/support/test-app'
import { oneTab } from './support/one-tab'
import { json } from './support/wire'

const scene = oneTab(() => testApp({ env: { RATE_LIMIT_FACTOR: '1' } }))
const { ask, logInHere, view } = scene
const done = { ok: true, message: null }

let addresses = 0
/** As many wrong passwords from elsewhere as a minute takes, and more. */
const guessElsewhere = async (email: string) => {
  for (let i = 0; i < 12; i++) await logIn(scene.server, email, 'wrong', `198.51.100.${(addresses += 1)}`)
}
const lockedOut = async (email: string, password?: string) => ((await logInHere(email, password)) as { status?: number }).status === 429 // prettier-ignore

test('a browser that logged in once gets in while strangers guess, after a logout and a cleared cache as well', async () => {
  const email = await member(scene.server)
  await guessElsewhere(email)
  expect(await lockedOut(email)).toBe(true)
  scene.later(60_000)
  expect(await logInHere(email)).toEqual(done)
  await logOut(scene.tab.context)
  await clearCache(scene.tab.db)
  await guessElsewhere(email)
  expect(await logInHere(email)).toEqual(done)
  expect(await view()).toMatchObject({ user: { email } })
})

test('a browser keeps one device token for all accounts that log in there', async () => {
  await logInHere(await member(scene.server))
  const token = await readMeta(scene.tab.db, 'device_token')
  expect(token).toMatch(/^[\w-]{43}$/)
  await logOut(scene.tab.context)
  const other = await member(scene.server)
  expect(await logInHere(other)).toEqual(done)
  expect(await readMeta(scene.tab.db, 'device_token')).toBe(token)
  await logOut(scene.tab.context)
  await guessElsewhere(other)
  expect(await logInHere(other)).toEqual(done)
})

test('a browser that resets the password is known from then on, and logs in while strangers guess', async () => {
  const email = await member(scene.server)
  const token = await link(scene.server, email, 'reset-password')
  expect(await ask({ kind: 'reset-password', token, password: 'a new one of mine' })).toMatchObject({ ok: true })
  await guessElsewhere(email)
  expect(await logInHere(email, 'a new one of mine')).toEqual(done)
})

test('a login at a server of before device tokens works, and keeps the token that is known', async () => {
  await logInHere(await member(scene.server))
  const token = await readMeta(scene.tab.db, 'device_token')
  await logOut(scene.tab.context)
  const other = await member(scene.server)
  const { status, body } = await logIn(scene.server, other)
  expect(status).toBe(200)
  const { device_token: _, ...answer } = body
  scene.browser.setWay(({ path }) => (path === '/auth/login' ? json(200, answer) : 'arrives'))
  expect(await logInHere(other)).toEqual(done)
  expect(await readMeta(scene.tab.db, 'device_token')).toBe(token)
})
