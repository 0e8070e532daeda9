import 'fake-indexeddb/auto'
import { describe, expect, test } from 'vitest'
import { leaveExpiredSession } from '../../src/db/commands/leave-expired-session'
import { logOut } from '../../src/db/commands/log-out'
import { readBoard } from '../../src/db/queries/board'
import { readMeta } from '../../src/db/queries/meta'
import { MINUTE } from '../../src/domain/granularity'
import { link, logIn, member, newEmail, PASSWORD, refresh } from '../server/support/accounts'
import { oneTab } from './support/one-tab'
import type { Fate } from './support/tabs'
import { json } from './support/wire'

const it = oneTab()
const { view, ask, logInHere, addPair, pairs, notices, offline, online, later } = it
const done = { ok: true, message: null }
const told = { ok: true, message: expect.any(String) }

describe('an account', () => {
  test('is registered, verified, signed in to, and recovered', async () => {
    const email = newEmail()
    expect(await ask({ kind: 'register', email, password: PASSWORD })).toEqual(told)
    expect(await logInHere(email)).toMatchObject({ ok: false, status: 403, error_code: 'EMAIL_NOT_VERIFIED' })
    expect(await ask({ kind: 'resend-verification', email })).toEqual(told)
    const token = await link(it.server, email, 'verify-email')
    expect(await ask({ kind: 'verify-email', token })).toEqual(told)
    expect(await ask({ kind: 'verify-email', token })).toMatchObject({ ok: false, error_code: 'INVALID_LINK' }) // prettier-ignore
    expect(await logInHere(email, 'another password')).toMatchObject({ ok: false, error_code: 'INVALID_CREDENTIALS' })
    expect(await view()).toMatchObject({ account: 'guest', user: null })

    expect(await logInHere(email)).toEqual(done)
    expect(await view()).toMatchObject({ account: 'free', user: { email }, expired: false, mustAccept: true })

    expect(await ask({ kind: 'request-reset', email })).toEqual(told)
    const reset = await link(it.server, email, 'reset-password')
    expect(await ask({ kind: 'reset-password', token: reset, password: 'a new one of mine' })).toEqual(told) // prettier-ignore
    // A reset ends every session, this one too.
    later(2 * MINUTE)
    await it.tab.engine.sync('tick')
    expect(await view()).toMatchObject({ expired: true })
    expect(await logInHere(email, 'a new one of mine')).toEqual(done)
    expect(await view()).toMatchObject({ expired: false })
  })

  test('that is registered already is told so', async () => {
    const email = await member(it.server)
    const again = await ask({ kind: 'register', email, password: PASSWORD })
    expect(again).toMatchObject({
      ok: false,
      status: 409,
      message: expect.stringContaining('Email already registered'),
    })
  })

  test('cannot be had without a network, and says so', async () => {
    offline()
    expect(await logInHere('ada@example.com')).toEqual({
      ok: false,
      status: 0,
      error_code: null,
      message: 'Network error or unable to connect. Failed to fetch',
    })
    it.browser.setWay(() => json(503, { detail: 'Back in a minute.', error_code: 'INTERNAL_ERROR' }))
    expect(await logInHere('ada@example.com')).toMatchObject({ status: 503, message: 'Back in a minute.' })
    expect(await view()).toMatchObject({ account: 'guest' })
  })

  test('sends a password no further than the request that carries it', async () => {
    const email = await member(it.server)
    await logInHere(email)
    await it.tab.engine.sync('start')
    const stored = JSON.stringify(await Promise.all(it.tab.db.tables.map((table) => table.toArray())))
    expect(stored).not.toContain(PASSWORD)
  })

  test('that somebody signs in to elsewhere and whose answer does not name the user is asked who it is', async () => {
    const email = await member(it.server)
    it.browser.setWay(async (sent) => {
      if (sent.path !== '/auth/login') return 'arrives'
      const { user: _, ...tokens } = (await logIn(it.server, email)).body
      return json(200, tokens)
    })
    expect(await logInHere(email)).toEqual(done)
    expect(await view()).toMatchObject({ user: { email } })
  })
})

describe('the guest of a browser', () => {
  test('is set aside at login and comes back at logout, with the pairs of each their own', async () => {
    await addPair('ethereum')
    await it.tab.engine.sync('command')
    await logInHere(await member(it.server))
    expect(await pairs()).toEqual([])
    await addPair('solana')
    await it.tab.engine.sync('command')
    expect(await pairs()).toEqual(['solana'])

    await logOut(it.tab.context)
    expect(await view()).toMatchObject({ owner: it.browser.guest, account: 'guest', user: null })
    expect(await pairs()).toEqual(['ethereum'])
    await it.tab.engine.sync('command')
    expect(await pairs()).toEqual(['ethereum'])
  })

  test('gets what was still under way when somebody signed in', async () => {
    const email = await member(it.server)
    await it.tab.engine.sync('start')
    await addPair('ethereum')
    it.browser.setWay(async ({ method, path }, arrive): Promise<Fate> => {
      if (method === 'POST' && path === '/widgets') {
        await arrive()
        await logInHere(email)
      }
      return 'arrives'
    })
    await it.tab.engine.sync('command')
    expect(await pairs()).toEqual([])
    await logOut(it.tab.context)
    await it.tab.engine.sync('command')
    expect(await pairs()).toEqual(['ethereum'])
  })
})

test('an answer to a login that comes when somebody else has signed in is too late, and its session is ended', async () => {
  const [ada, bob] = [await member(it.server), await member(it.server)]
  const other = it.browser.open()
  it.browser.setWay(async ({ path, body }): Promise<Fate> => {
    if (path === '/auth/login' && body!.includes(encodeURIComponent(ada))) {
      await other.engine.account({ kind: 'log-in', email: bob, password: PASSWORD })
    }
    return 'arrives'
  })
  expect(await logInHere(ada)).toMatchObject({ ok: false })
  expect(await view()).toMatchObject({ user: { email: bob }, expired: false })
  await it.tab.engine.sync('online')
  expect(await readMeta(it.tab.db, 'revocations')).toEqual([])
  expect(await view()).toMatchObject({ user: { email: bob }, expired: false })
})

describe('logging out', () => {
  test('works without a network, leaves nothing behind, and ends the session once there is one', async () => {
    const email = await member(it.server)
    await logInHere(email)
    await addPair('ethereum')
    await it.tab.engine.sync('command')
    await addPair('solana')
    const { owner } = await view()
    const { tokens } = await it.browser.session()
    await it.tab.db.notices.add({ owner, type: 'error', message: 'For Ada alone.', at: 0 })
    offline()
    await it.tab.engine.sync('command')
    await logOut(it.tab.context)

    expect(await view()).toMatchObject({ owner: it.browser.guest, account: 'guest', expired: false })
    const { widgets, checkpoints, outbox, ids, notices: left, session } = it.tab.db
    for (const table of [widgets, checkpoints, outbox, ids, left]) expect(await table.toArray(), table.name).toEqual([])
    expect(JSON.stringify(await session.toArray())).not.toContain(email)
    expect(JSON.stringify(await Promise.all([session, it.tab.db.meta].map((table) => table.toArray())))).not.toContain(tokens!.access) // prettier-ignore

    await it.tab.engine.sync('tick')
    online()
    later(MINUTE)
    await it.tab.engine.sync('online')
    expect((await refresh(it.server, tokens!.refresh)).body.error_code).toBe('INVALID_REFRESH_TOKEN')
    expect(await readMeta(it.tab.db, 'revocations')).toEqual([])
    const asked = it.browser.sent.length
    later(MINUTE)
    await it.tab.engine.sync('tick')
    expect(it.browser.sent.slice(asked).filter(({ path }) => path === '/auth/logout')).toEqual([])
  })

  test('is told to a server that did not hear of it without anybody asking, sooner or later', async () => {
    await logInHere(await member(it.server))
    const { tokens } = await it.browser.session()
    offline()
    await logOut(it.tab.context)
    for (const wait of [2_000, 4_000, 8_000]) {
      const due = (await it.tab.engine.sync('due'))!
      expect(due - it.tab.env.now()).toBeGreaterThanOrEqual(Math.max(2_000, wait / 2))
      expect(due - it.tab.env.now()).toBeLessThanOrEqual(wait)
      later(wait)
    }
    online()
    await it.tab.engine.sync('due')
    expect((await refresh(it.server, tokens!.refresh)).body.error_code).toBe('INVALID_REFRESH_TOKEN')
    expect(await readMeta(it.tab.db, 'revocation_tries')).toBeUndefined()
  })

  test('twice is logging out once: the guest stays', async () => {
    await logInHere(await member(it.server))
    await Promise.all([logOut(it.tab.context), logOut(it.browser.open().context)])
    expect(await view()).toMatchObject({ owner: it.browser.guest })
    expect(await readMeta(it.tab.db, 'revocations')).toHaveLength(1)
  })
})

describe('a session that has ended', () => {
  const endIt = async () => {
    const { tokens } = await it.browser.session()
    await it.tab.env.fetch('http://localhost/api/v1/auth/logout', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ refresh_token: tokens!.refresh }) }) // prettier-ignore
    later(2 * MINUTE)
    await it.tab.engine.sync('tick')
  }

  test('is left for the guest; the next login of the same user goes on with what waited', async () => {
    const email = await member(it.server)
    await logInHere(email)
    await it.tab.engine.sync('start')
    const { owner } = await view()
    offline()
    await addPair('ethereum')
    online()
    await endIt()
    expect(await view()).toMatchObject({ owner, expired: true })
    expect(await pairs()).toEqual(['ethereum'])

    await leaveExpiredSession(it.tab.context, owner)
    expect(await view()).toMatchObject({ owner: it.browser.guest, expired: false })
    expect(await pairs()).toEqual([])
    await it.tab.engine.sync('command')
    expect(await it.tab.db.outbox.toArray()).toMatchObject([{ owner, state: 'waiting' }])

    await logInHere(email)
    expect(await pairs()).toEqual(['ethereum'])
    await it.tab.engine.sync('command')
    expect(await it.tab.db.outbox.count()).toBe(0)
    expect(await pairs()).toEqual(['ethereum'])
  })

  test('sends nothing of it as somebody else, who sees nothing of it', async () => {
    await logInHere(await member(it.server))
    await it.tab.engine.sync('start')
    const { owner } = await view()
    offline()
    await addPair('ethereum')
    await it.tab.db.notices.add({ owner, type: 'error', message: 'For Ada alone.', at: 0 })
    online()
    await endIt()
    await leaveExpiredSession(it.tab.context, owner)
    await logInHere(await member(it.server))
    const asked = it.browser.sent.length
    await it.tab.engine.sync('command')
    expect(it.browser.sent.slice(asked).filter(({ method, path }) => method === 'POST' && path === '/widgets')).toEqual(
      [],
    )
    expect(await pairs()).toEqual([])
    expect(await notices()).toEqual([])
    expect((await readBoard(it.tab.db))!.changes).toEqual([])
    expect(await it.tab.db.outbox.toArray()).toMatchObject([{ owner, state: 'waiting' }])
  })

  test('is not left by a click that comes when somebody else is signed in already', async () => {
    await logInHere(await member(it.server))
    const { owner } = await view()
    await logInHere(await member(it.server))
    const { owner: other } = await view()
    expect(other).not.toBe(owner)
    await leaveExpiredSession(it.tab.context, owner)
    expect(await view()).toMatchObject({ owner: other, expired: false })
  })
})
