import { expect, test } from 'vitest'
import { clearCache } from '../../src/db/local-data'
import { logOut } from '../../src/db/leave-owner'
import { readMeta } from '../../src/db/database'
import { bearer, PASSWORD } from '../server/support/accounts'
import { addPasskey } from '../server/support/passkeys'
import { request } from '../server/support/person'
import { oneTab } from './support/one-tab'
import { json } from './support/wire'

const scene = oneTab({ env: { RATE_LIMIT_FACTOR: '1' } })
const { call, logInHere, memberHere, view } = scene
const done = { ok: true, value: null }

let addresses = 0
/** As many wrong passwords from elsewhere as a minute takes, and more. */
const guessElsewhere = async (email: string) => {
  for (let i = 0; i < 12; i++) await scene.server.logIn(email, 'wrong', `198.51.100.${(addresses += 1)}`)
}
const lockedOut = async (email: string, password?: string) =>
  ((await logInHere(email, password)) as { status?: number }).status === 429

test('a browser that logged in once gets in while strangers guess, after a logout and a cleared cache as well', async () => {
  const email = await scene.server.member()
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
  await memberHere()
  const token = await readMeta(scene.tab.db, 'device_token')
  expect(token).toMatch(/^[\w-]{43}$/)
  await logOut(scene.tab.context)
  const other = await scene.server.member()
  expect(await logInHere(other)).toEqual(done)
  expect(await readMeta(scene.tab.db, 'device_token')).toBe(token)
  await logOut(scene.tab.context)
  await guessElsewhere(other)
  expect(await logInHere(other)).toEqual(done)
})

test('a browser that resets the password is known from then on, and logs in while strangers guess', async () => {
  const email = await scene.server.member()
  const token = await scene.server.link(email, 'reset-password')
  expect(await call('resetPassword', { token, new_password: 'a new one of mine' })).toMatchObject({ ok: true })
  await guessElsewhere(email)
  expect(await logInHere(email, 'a new one of mine')).toEqual(done)
})

test('a browser whose login ended with a passkey or a recovery code is known from then on, and keeps its device token', async () => {
  const email = await scene.server.member()
  const { key, added } = await addPasskey(scene.server, await scene.server.session(email))
  const firstStep = async () => {
    const result = await logInHere(email)
    if (result.ok || result.second_factor === undefined) throw new Error(JSON.stringify(result))
    return result.second_factor
  }
  const { ticket, options } = await firstStep()
  const assertion = key.get({ challenge: options.challenge })
  expect(await call('secondFactor', { ticket, assertion })).toEqual(done)
  const token = await readMeta(scene.tab.db, 'device_token')
  expect(token).toMatch(/^[\w-]{43}$/)

  await logOut(scene.tab.context)
  await guessElsewhere(email)
  const [recovery_code = ''] = added.recovery_codes ?? []
  const again = await firstStep()
  expect(await call('secondFactor', { ticket: again.ticket, recovery_code })).toEqual(done)
  expect(await readMeta(scene.tab.db, 'device_token')).toBe(token)
  expect(await view()).toMatchObject({ user: { email } })
})

test('a login at a server of before device tokens works, and keeps the token that is known', async () => {
  await memberHere()
  const token = await readMeta(scene.tab.db, 'device_token')
  await logOut(scene.tab.context)
  const other = await scene.server.member()
  const { status, body } = await scene.server.logIn(other)
  expect(status).toBe(200)
  const { device_token: _, ...answer } = body
  scene.browser.setWay(({ path }) => (path === '/auth/login' ? json(200, answer) : 'arrives'))
  expect(await logInHere(other)).toEqual(done)
  expect(await readMeta(scene.tab.db, 'device_token')).toBe(token)
})

test('a device that is logged out from elsewhere shows an expired session, and keeps its changes for the next login', async () => {
  const email = await memberHere()
  await scene.addPair('ethereum')
  await scene.tab.engine.sync('command')
  scene.offline()
  await scene.addPair('solana')
  const elsewhere = bearer((await scene.server.logIn(email, PASSWORD)).body.access_token)
  const ended = await request(scene.server.app, 'DELETE', '/users/me/sessions', undefined, elsewhere)
  expect(ended.status).toBe(204)
  scene.online()
  await scene.tab.engine.sync('online')
  expect(await view()).toMatchObject({ user: { email }, expired: true })
  expect(await scene.pairs()).toEqual(['ethereum', 'solana'])
  expect(await logInHere(email)).toEqual(done)
  await scene.tab.engine.sync('command')
  expect(await scene.tab.db.outbox.count()).toBe(0)
  expect(await scene.pairs()).toEqual(['ethereum', 'solana'])
})

test('the engine lists the devices of the user, logs out the others, and stays logged in itself', async () => {
  const email = await memberHere()
  const other = (await scene.server.logIn(email)).body
  const { engine } = scene.tab
  const listed = await engine.call('devices', {})
  expect(listed).toMatchObject({ ok: true, value: [{ is_current: true }, { is_current: false }] })
  const [, { id } = { id: '' }] = listed.ok ? listed.value : []
  expect(await engine.call('endSession', { id })).toEqual({ ok: true, value: null })
  expect((await scene.server.refresh(other.refresh_token)).status).toBe(401)
  expect(await engine.call('endOtherSessions', {})).toEqual({ ok: true, value: null })
  expect(await engine.call('devices', {})).toMatchObject({ ok: true, value: [{ is_current: true }] })
})
