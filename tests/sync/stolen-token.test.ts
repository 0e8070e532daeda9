import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { REFRESH_ATTEMPT_HEADER } from '../../src/contract/session'
import { readMeta } from '../../src/db/database'
import { logOut } from '../../src/db/leave-owner'
import { MINUTE } from '../../src/domain/granularity'
import { createEngine } from '../../src/sync/engine'
import { bearer, deviceHeader, PASSWORD } from '../server/support/accounts'
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

const refreshAnswersAreLost = () =>
  scene.browser.setWay(({ path }) => (path === '/auth/refresh-token' ? 'lost-answer' : 'arrives'))

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

type Stolen = Awaited<ReturnType<typeof steal>>['body']
const stolenEvents = async (email: string) => {
  const { access_token } = await server.session(email)
  const { body } = await server.ask('GET', '/users/me/security-events', undefined, bearer(access_token))
  return JSON.stringify(body).split('"session-stolen"').length - 1
}

// Each ends the session that the thief has a copy of.
test.each<[string, (email: string, stolen: Stolen) => Promise<unknown>]>([
  ['logs out', (_, { refresh_token }) => server.post('/auth/logout', { refresh_token })],
  [
    'is logged out by another device',
    async (email) =>
      server.ask('DELETE', '/users/me/sessions', undefined, bearer((await server.session(email)).access_token)),
  ],
  ['is logged out by a reset', async (email) => server.resetTo(await server.link(email, 'reset-password'), PASSWORD)],
])('a thief who refreshes first and then %s is noticed by the browser’s next refresh, once', async (_, end) => {
  const email = await memberHere()
  const copy = await copied()
  const { body } = await steal(copy, { 'x-refresh-attempt': randomUUID() })
  const again = await steal({ refresh: body.refresh_token }, { 'x-refresh-attempt': randomUUID() })
  await end(email, again.body)
  later(16 * MINUTE)
  await sync()
  expect(await view()).toMatchObject({ user: { email }, expired: true })
  await steal(copy, { 'x-refresh-attempt': randomUUID() })
  expect((await server.mailsTo(email)).filter((kind) => kind === 'session-stolen')).toHaveLength(1)
  expect(await stolenEvents(email)).toBe(1)
})

test('a browser that logged out while its refresh was under way, or offline with a lost answer, is taken for no thief', async () => {
  const email = await memberHere()
  later(16 * MINUTE)
  refreshAnswersAreLost()
  await sync()
  const copy = await copied()
  await logOut(scene.tab.context)
  scene.online()
  await sync()
  // Another tab had sent the same attempt, which arrives last.
  const late = await steal(copy, { 'x-refresh-attempt': copy.attempt! })
  expect(late.status).toBe(401)
  expect(await server.mailsTo(email)).not.toContain('session-stolen')
  expect(await stolenEvents(email)).toBe(0)
})

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
  refreshAnswersAreLost()
  for (const pause of [1, 30, 600]) {
    await sync()
    later(pause * MINUTE)
  }
  expect(await copied()).toHaveProperty('attempt')
  scene.online()
  await sync()
  expect(await view()).toMatchObject({ user: { email }, expired: false })
  expect(await copied()).not.toHaveProperty('attempt')
})

test('a tab of an earlier version, whose refresh names no attempt, says that it has to be reloaded, and goes on after a newer tab’s refresh', async () => {
  await memberHere()
  await sync()
  const { env } = scene.tab
  const earlier = createEngine({
    ...env,
    fetch: (url, init) => {
      const { [REFRESH_ATTEMPT_HEADER]: _name, ...headers } = init.headers as Readonly<Record<string, string>>
      return env.fetch(url, { ...init, headers })
    },
  })
  later(16 * MINUTE)
  await earlier.sync('start')
  expect(await scene.notices()).toContain('Please reload the app: a newer version is in use here.')
  await sync()
  await scene.addPair('ethereum')
  await earlier.sync('command')
  expect([await scene.pairs(), (await scene.board()).changes]).toEqual([['ethereum'], []])
})
