import { describe, expect, test } from 'vitest'
import type { Identity, Route } from '../../src/contract/route'
import { API_BASE, routes } from '../../src/contract/routes'
import { fakePayments } from './support/fake-payments'
import { withServer } from './support/for-file'
import type { Headers } from './support/person'
import { START } from './support/test-clock'

/*
 * The table of routes itself, walked by everybody, so that a route that is added is asked without a word here. The
 * answers of each call to each caller are in detail in identities.test.ts.
 */

const PEOPLE = ['nobody', 'guest', 'another guest', 'user', 'another user', 'superuser'] as const
type Who = (typeof PEOPLE)[number]

const SERVED: Readonly<Record<Identity, readonly Who[]>> = {
  none: PEOPLE,
  guest: ['guest', 'another guest'],
  user: ['user', 'another user', 'superuser'],
  any: ['guest', 'another guest', 'user', 'another user', 'superuser'],
  superuser: ['superuser'],
}

const server = withServer({ env: { ENABLE_TESTING_ROUTES: 'true' }, deps: { payments: fakePayments(() => START) } })

interface Owner {
  readonly who: Who
  /** By which everything of theirs can be told: an answer to others holds none of these. */
  readonly marks: readonly string[]
  readonly params: Readonly<Record<string, string>>
  readonly state: () => Promise<unknown>
}

interface Cast {
  readonly headers: Readonly<Record<Who, Headers>>
  readonly owners: readonly Owner[]
}
/** For all routes that change nobody. */
let readers: Cast | null = null

async function newCast(): Promise<Cast> {
  const [aGuest, anotherGuest] = [server.guest(), server.guest()]
  const [aUser, anotherUser, boss] = [
    await server.user({ premium: true }),
    await server.user(),
    await server.user({ superuser: true }),
  ]
  const guests = (await aGuest.add('bitcoin', 'ethereum')).id
  const theirs = (await aUser.add('bitcoin', 'ethereum')).id
  const guestsCheckpoint = (await aGuest.saveCheckpoint(guests, 1)).body.id
  const usersCheckpoint = (await aUser.save(theirs, 1)).body.id
  return {
    headers: {
      nobody: {},
      guest: await aGuest.identity(),
      'another guest': await anotherGuest.identity(),
      user: await aUser.identity(),
      'another user': await anotherUser.identity(),
      superuser: await boss.identity(),
    },
    owners: [
      {
        who: 'guest',
        marks: [guests, guestsCheckpoint],
        params: { id: guests, checkpoint_id: guestsCheckpoint },
        state: () => aGuest.list(),
      },
      {
        who: 'user',
        marks: [theirs, usersCheckpoint, aUser.id, `${aUser.id}@example.com`],
        params: { id: theirs, checkpoint_id: usersCheckpoint },
        state: async () => [await aUser.list(), (await aUser.ask('GET', '/users/me')).body],
      },
    ],
  }
}

/** With the owner's ids wherever the route or its body takes any; the rest of the body is missing. */
async function ask(route: Route, { params, marks }: Owner, headers: Headers) {
  const url = `${API_BASE}${route.path.replaceAll(/:(\w+)/g, (_all, name: string) => params[name] ?? marks[0] ?? '')}`
  const payload = { id: marks[0], ordered_ids: [marks[0]], checkpoint_ids: [marks[1]] }
  const form = route.encoding === 'form'
  return server.app.inject({
    method: route.method,
    url,
    headers: {
      ...headers,
      ...(route.body && { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' }),
    },
    ...(route.body && { payload: form ? 'id=1' : JSON.stringify(payload) }),
  })
}

const all: readonly [string, Route][] = Object.entries(routes)

describe.each(all)('the route %s', (_name, route) => {
  test('a route serves whom its identity names, refuses everybody else, and shows or changes nothing of somebody else', async () => {
    const isHarmless = route.method === 'GET' || route.identity === 'none'
    const { headers, owners } = isHarmless ? (readers ??= await newCast()) : await newCast()
    for (const owner of owners) {
      const before = await owner.state()
      for (const who of PEOPLE.filter((who) => who !== owner.who)) {
        const { statusCode, payload } = await ask(route, owner, headers[who])
        const label = `${who}, with the ids of a ${owner.who}: ${statusCode} ${payload}`
        expect(statusCode, label).toBeLessThan(500)
        if (!SERVED[route.identity].includes(who)) expect([401, 403, 404], label).toContain(statusCode)
        if (!SERVED[route.identity].includes(who) && who === 'nobody') expect(statusCode, label).toBe(401)
        // A call may have reasons of its own to refuse, and says them.
        if (SERVED[route.identity].includes(who) && route.identity !== 'none')
          expect(label).not.toMatch(/: 401 |"Only for/)
        // Superusers are there to see accounts.
        if (route.identity !== 'superuser' || who !== 'superuser') {
          for (const mark of owner.marks) expect(payload, label).not.toContain(mark)
        }
      }
      if (route.identity !== 'superuser') expect(await owner.state()).toEqual(before)
    }
  })
})
