import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readMeta } from '../../src/db/database'
import { MINUTE } from '../../src/domain/granularity'
import { bearer, deviceHeader } from '../server/support/accounts'
import { oneTab } from './support/one-tab'

const scene = oneTab()
const { server, memberHere, view, sync, later } = scene

/** A copy of all that the browser keeps of its session. */
async function copied() {
  const session = await scene.tab.db.session.get('current')
  if (session?.tokens == null) throw new Error('Nobody is logged in.')
  return { ...session.tokens, device: await readMeta(scene.tab.db, 'device_token') }
}

const steal = ({ refresh }: { readonly refresh: string }, headers: Readonly<Record<string, string>>) =>
  server.post<{ readonly access_token: string; readonly refresh_token: string }>(
    '/auth/refresh-token',
    { refresh_token: refresh },
    headers,
  )

// Minutes after the thief's refresh at which the browser's access token expires and it refreshes.
test.each([4, 14, 20])(
  'a thief with a copy of the session who refreshes %d minutes before its browser is noticed by the browser’s next refresh',
  async (minutes) => {
    const email = await memberHere()
    later(20 * MINUTE)
    await sync()
    const copy = await copied()
    later((20 - minutes) * MINUTE)
    const stolen = await steal(copy, { ...deviceHeader(copy.device), 'x-refresh-attempt': randomUUID() })
    expect([stolen.status, (await server.me(stolen.body.access_token)).status]).toEqual([200, 200])
    later(minutes * MINUTE)
    await sync()
    expect(await view()).toMatchObject({ user: { email }, expired: true })
    const again = { ...deviceHeader(copy.device), 'x-refresh-attempt': randomUUID() }
    expect((await steal({ refresh: stolen.body.refresh_token }, again)).status).toBe(401)
    expect((await server.me(stolen.body.access_token)).status).toBe(401)
    expect((await server.mailsTo(email)).filter((kind) => kind === 'session-stolen')).toHaveLength(1)
    const { access_token } = await server.session(email)
    const events = await server.ask('GET', '/users/me/security-events', undefined, bearer(access_token))
    expect(events.body).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'session-stolen' })]))
  },
)

test('a thief who comes after the browser’s refresh ends the session at once', async () => {
  const email = await memberHere()
  const copy = await copied()
  later(16 * MINUTE)
  await sync()
  expect((await steal(copy, { 'x-refresh-attempt': randomUUID() })).status).toBe(401)
  later(16 * MINUTE)
  await sync()
  expect(await view()).toMatchObject({ user: { email }, expired: true })
})

test('a request that names no attempt gets nothing of a session whose client names its own, and does it no harm', async () => {
  const email = await memberHere()
  const copy = await copied()
  const stolen = await steal(copy, deviceHeader(copy.device))
  expect([stolen.status, stolen.body]).toEqual([403, expect.objectContaining({ error_code: 'FORBIDDEN' })])
  later(16 * MINUTE)
  await sync()
  expect(await view()).toMatchObject({ user: { email }, expired: false })
})

test('a browser whose refreshes are answered and lost repeats its attempt until one arrives, after hours as well', async () => {
  const email = await memberHere()
  later(16 * MINUTE)
  scene.browser.setWay(() => 'lost-answer')
  for (const pause of [1, 30, 600]) {
    await sync()
    later(pause * MINUTE)
  }
  scene.online()
  await sync()
  expect(await view()).toMatchObject({ user: { email }, expired: false })
  expect(await copied()).not.toHaveProperty('attempt')
})
