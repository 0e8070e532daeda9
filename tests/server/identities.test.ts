import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Route, type RouteName, routes } from '../../src/contract/routes'
import { signAccessToken } from '../../server/services/sessions/access-token'
import { accessTokenKey } from '../../server/services/sessions/token-key'
import { guest } from './support/guest'
import { type Headers, request, SAVED_AT } from './support/person'
import { testApp, type TestApp } from './support/test-app'
import { user, type User } from './support/user'

/*
 * Every route for somebody, asked by everybody: whose it is gets an answer, and all the others are told why not, in a
 * way that does not tell whether the thing is there.
 */

const checkpointBody = { ratio: 2, timestamp: SAVED_AT }
/** A body that is good for each route that takes one. */
const BODIES: Partial<Record<RouteName, object>> = {
  createWidget: { coin_a_id: 'monero', coin_b_id: 'tron' },
  updateWidget: { high_threshold: 3 },
  reorderWidgets: { ordered_ids: [] },
  createCheckpoint: checkpointBody,
  updateCheckpoint: checkpointBody,
  deleteCheckpoints: { checkpoint_ids: [] },
  reorderCheckpoints: { ordered_ids: [] },
  createAnonymousCheckpoint: checkpointBody,
}

const owned = (Object.entries(routes) as [RouteName, Route][]).filter(([, { identity }]) => identity !== 'none')

interface Target {
  readonly widget: string
  readonly checkpoint: string
}

let it: TestApp
beforeAll(async () => {
  it = await testApp()
})
afterAll(() => it.close())

/** A widget with one checkpoint, of somebody new. */
async function targetOfGuest(): Promise<{ headers: Headers; target: Target }> {
  const me = guest(it.app)
  const widget = (await me.add('bitcoin', 'ethereum')).id
  const checkpoint = (await me.saveCheckpoint(widget, 1)).body.id
  return { headers: await me.identity(), target: { widget, checkpoint } }
}
async function targetOfUser(premium: boolean): Promise<{ me: User; headers: Headers; target: Target }> {
  const me = await user(it, { premium })
  const widget = (await me.add('bitcoin', 'ethereum')).id
  const checkpoint = (await me.save(widget, 1)).body.id
  return { me, headers: await me.identity(), target: { widget, checkpoint } }
}

async function ask(
  name: RouteName,
  { widget, checkpoint }: Target,
  headers: Headers,
): Promise<[number, string | null]> {
  const { method, path } = routes[name] as Route
  const address = path.replace(':id', widget).replace(':checkpoint_id', checkpoint)
  const { status, body } = await request<{ error_code?: string } | undefined>(it.app, method, address, BODIES[name], headers) // prettier-ignore
  return [status, body?.error_code ?? null]
}

test('there are routes for guests, for users and for both', () => {
  expect(new Set(owned.map(([, { identity }]) => identity))).toEqual(new Set(['any', 'guest', 'user']))
})

describe.each(owned)('%s', (name, route) => {
  const serves = (kind: 'guest' | 'user') => route.identity === 'any' || route.identity === kind
  const FORBIDDEN: [number, string] = [403, 'FORBIDDEN']
  const aboutOne = route.path.includes(':id')
  /** For somebody else's thing, which to a stranger is not there; a route about no one thing serves the stranger's own. */
  const strangers = (kind: 'guest' | 'user') => (!serves(kind) ? FORBIDDEN : aboutOne ? [404, 'NOT_FOUND'] : [route.status, null]) // prettier-ignore

  test('a guest', async () => {
    const { headers, target } = await targetOfGuest()
    const other = guest(it.app)
    expect(await ask(name, target, await other.identity())).toEqual(strangers('guest'))
    expect(await ask(name, target, await (await user(it)).identity())).toEqual(strangers('user'))
    expect(await ask(name, target, headers)).toEqual(serves('guest') ? [route.status, null] : FORBIDDEN)
  })

  test.each([false, true])('a user (premium: %s)', async (premium) => {
    const { headers, target } = await targetOfUser(premium)
    for (const other of [await user(it), await user(it, { premium: true })]) {
      expect(await ask(name, target, await other.identity())).toEqual(strangers('user'))
    }
    expect(await ask(name, target, await guest(it.app).identity())).toEqual(strangers('guest'))
    // A free user's only checkpoint leaves room for no other.
    const full: [number, string] = [403, 'CHECKPOINT_LIMIT_REACHED']
    const own = name === 'createCheckpoint' && !premium ? full : [route.status, null]
    expect(await ask(name, target, headers)).toEqual(serves('user') ? own : FORBIDDEN)
  })

  test('nobody, and tokens that are worth nothing', async () => {
    const { me, target } = await targetOfUser(true)
    const before = await me.list()
    const anonymous = await guest(it.app).identity()
    const past = await signAccessToken(accessTokenKey(it.env), { userId: me.id, sessionId: me.id, now: it.clock() - 901_000, lifetime: 900 }) // prettier-ignore
    const [, payload] = (await me.identity())['authorization']!.split('.')
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
    expect(await ask(name, target, {})).toEqual([401, 'UNAUTHENTICATED'])
    expect(await ask(name, target, { 'x-anonymous-user-id': me.id })).toEqual([401, 'INVALID_ANONYMOUS_ID'])
    for (const extra of [{}, anonymous]) {
      expect(await ask(name, target, { ...extra, authorization: `Bearer ${past}` })).toEqual([401, 'TOKEN_EXPIRED'])
      expect(await ask(name, target, { ...extra, authorization: `Bearer ${none}.${payload}.` })).toEqual([401, 'INVALID_TOKEN']) // prettier-ignore
    }
    expect(await me.list()).toEqual(before)
  })
})

test('nobody’s bad request is told that it is nobody’s, not what is wrong with it', async () => {
  const { target } = await targetOfUser(true)
  for (const [name] of owned) {
    const { method, path } = routes[name] as Route
    const address = path.replace(':id', target.widget).replace(':checkpoint_id', 'no-uuid')
    const { status } = await request(it.app, method, address, { nonsense: true }, {})
    expect(status, name).toBe(401)
  }
})
