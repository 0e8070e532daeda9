import { beforeEach, expect, test } from 'vitest'
import { sessions } from '../../server/db/schema/sessions'
import { addWidget } from '../../src/db/commands/widgets'
import { readAccountView } from '../../src/db/identity'
import { readMeta } from '../../src/db/database'
import { readNotices } from '../../src/db/notices'
import type { CoinId } from '../../src/domain/ids'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { pull } from '../../src/sync/pull'
import { sendAs } from '../../src/sync/request'
import { PASSWORD } from '../server/support/accounts'
import type { TestApp } from '../server/support/test-app'
import { oneTab } from './support/one-tab'
import type { Tab, TabsBrowser, Way } from './support/tabs'
import { playTwentyTabs } from './support/twenty-tabs'
import { json } from './support/wire'

const PAIR = { coinA: 'bitcoin' as CoinId, coinB: 'ethereum' as CoinId }
const REFRESH = '/auth/refresh-token'

let server: TestApp
let email: string
let browser: TabsBrowser
let tab: Tab
const scene = oneTab()
beforeEach(async () => {
  ;({ server, browser, tab } = scene)
  email = await server.member()
  expect(await tab.engine.call('logIn', { username: email, password: PASSWORD })).toEqual({ ok: true, value: null })
})

const view = async () => (await readAccountView(tab.db))!
const refreshes = () => browser.sent.filter(({ path }) => path === REFRESH).length
const expire = () => server.clock.advance(20 * MINUTE)
const endAllSessions = () => server.database.orm.delete(sessions)
/** That way for refreshes, and a good one for everything else. */
const refreshesGo =
  (way: Way): Way =>
  (sent, arrive) =>
    sent.path === REFRESH ? way(sent, arrive) : 'arrives'

const tabs = (): Tab[] => [tab, ...Array.from({ length: 19 }, () => browser.open())]
const askAll = (all: readonly Tab[], owner: Awaited<ReturnType<typeof view>>['owner']) =>
  Promise.all(all.map(({ env }) => sendAs(env, owner, { route: 'listWidgets' })))

test.each([
  ['a right clock', 0],
  ['a clock two hours slow', -2 * HOUR],
  ['a clock two hours fast', 2 * HOUR],
])('twenty tabs with one expired access token are served by one refresh: %s', async (_, error) => {
  const all = tabs()
  browser.setClockError(error)
  const { owner } = await view()
  expire()
  expect((await askAll(all, owner)).map(({ kind }) => kind)).toEqual(all.map(() => 'ok'))
  expect(refreshes()).toBe(1)
})

test.each([
  [-2 * HOUR, 1],
  [2 * HOUR, 2],
])('twenty tabs stay logged in over rounds of lost requests and answers, with a clock %d ms wrong', (error, seed) =>
  playTwentyTabs(server, { rounds: 4, clockError: error, seed }),
)

test('a tab that dies during a token refresh leaves the refresh to the next tab', async () => {
  const { owner } = await view()
  expire()
  const dying = browser.open()
  let met: () => void = () => undefined
  const meeting = new Promise<void>((resolve) => (met = resolve))
  browser.setWay(
    refreshesGo(async (_, arrive) => {
      await arrive()
      met()
      return new Promise<never>(() => undefined)
    }),
  )
  void sendAs(dying.env, owner, { route: 'listWidgets' })
  await meeting
  browser.setWay(() => 'arrives')
  const waiting = sendAs(tab.env, owner, { route: 'listWidgets' })
  browser.kill(dying)
  expect((await waiting).kind).toBe('ok')
})

const say = (status: number, error_code: string) => refreshesGo(() => json(status, { detail: 'No.', error_code }))

test.each<[string, Way]>([
  ['in the network', refreshesGo(() => 'lost-request')],
  ['with its answer', refreshesGo(() => 'lost-answer')],
  ['at a captive portal', refreshesGo(() => new Response('<html>Log in to the Wi-Fi</html>', { status: 200 }))],
  ['at a portal that says 401', refreshesGo(() => new Response('Log in', { status: 401 }))],
  ['at a server that is down', refreshesGo(() => new Response('Bad gateway', { status: 502 }))],
  ['for want of identity', say(401, 'UNAUTHENTICATED')],
  ['for being asked too often', say(429, 'RATE_LIMITED')],
])('a token refresh that fails %s ends no session, and the outbox is sent later', async (_, way) => {
  const { owner } = await view()
  await addWidget(tab.context, PAIR)
  expire()
  browser.setWay(way)
  await tab.engine.sync('tick')
  expect(await view()).toMatchObject({ owner, expired: false })
  expect(await tab.db.outbox.count()).toBe(1)

  browser.setWay(() => 'arrives')
  server.clock.advance(5 * MINUTE)
  await tab.engine.sync('online')
  expect(await tab.db.outbox.count()).toBe(0)
})

test.each(['INVALID_REFRESH_TOKEN', 'INVALID_TOKEN'])(
  'a token refresh refused with %s ends the session, and keeps the user’s pairs and waiting changes',
  async (code) => {
    const { owner } = await view()
    await addWidget(tab.context, PAIR)
    await tab.engine.sync('command')
    await addWidget(tab.context, { ...PAIR, coinB: 'solana' as CoinId })
    expire()
    browser.setWay(say(401, code))
    await tab.engine.sync('tick')
    expect(await view()).toMatchObject({ owner, account: 'free', user: { email }, expired: true })
    expect((await browser.session()).tokens).toBeNull()
    // The user's rows stay until they have chosen, and none of the outbox counts as refused.
    expect(await tab.db.widgets.count()).toBe(1)
    expect(await tab.db.outbox.toArray()).toMatchObject([{ state: 'waiting', owner }])
    expect(await readNotices(tab.db)).toEqual([])
    expect((await readMeta(tab.db, 'sync_state'))!.problem).toBeNull()

    // Nothing is sent for them any more, however often somebody asks.
    const before = browser.sent.length
    await tab.engine.sync('online')
    const since = browser.sent.slice(before)
    expect(since.filter(({ as, path }) => as !== null || path === REFRESH)).toEqual([])
  },
)

test('an access token that the server does not know is refreshed, and the session goes on', async () => {
  const { owner } = await view()
  const { tokens, ...session } = await browser.session()
  await tab.db.session.put({ ...session, tokens: { ...tokens!, access: 'signed by a key of the past' } })
  await addWidget(tab.context, PAIR)
  await tab.engine.sync('tick')
  expect(await tab.db.outbox.count()).toBe(0)
  expect(await view()).toMatchObject({ owner, expired: false })
})

test.each([
  ['with a change that waits', true],
  ['with nothing to send', false],
])('a server that refuses its own new tokens is not asked in a loop, %s, but the user to log in', async (_, waits) => {
  if (waits) await addWidget(tab.context, PAIR)
  const before = browser.sent.length
  browser.setWay(({ as }) => (as === null ? 'arrives' : json(401, { detail: 'No.', error_code: 'INVALID_TOKEN' })))
  await tab.engine.sync('online')
  await tab.engine.sync('online')
  expect(browser.sent.slice(before).filter(({ as }) => as !== null).length).toBeLessThan(10)
  expect(await view()).toMatchObject({ expired: true })

  browser.setWay(() => 'arrives')
  await tab.engine.call('logIn', { username: email, password: PASSWORD })
  await tab.engine.sync('command')
  expect(await view()).toMatchObject({ expired: false })
  expect(await tab.db.outbox.count()).toBe(0)
})

test('a session ended elsewhere ends here with the next pull, and leaves no notice about the pairs', async () => {
  await endAllSessions()
  server.clock.advance(2 * MINUTE)
  await pull(tab.env, 'tick')
  expect(await view()).toMatchObject({ expired: true, user: { email } })
  expect(await readNotices(tab.db)).toEqual([])

  // Mutations from here on wait in the outbox, unsent.
  await addWidget(tab.context, PAIR)
  await tab.engine.sync('command')
  expect(await tab.db.outbox.toArray()).toMatchObject([{ state: 'waiting', attempts: 0 }])
})

test('an offline start with an expired access token keeps the user signed in', async () => {
  browser.setWay(() => 'lost-request')
  expire()
  const later = browser.open()
  await later.engine.sync('start')
  expect(await readAccountView(later.db)).toMatchObject({ user: { email }, expired: false })
})
