import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorBody } from '../../src/contract/errors'
import { type Call, callsOf, type Document, type RawRequest } from './support/bad-requests'
import { guest } from './support/guest'
import { testApp, type TestApp } from './support/test-app'
import { user } from './support/user'

let it: TestApp
let calls: Call[]
beforeAll(async () => {
  it = await testApp()
  const [me, account, other] = [guest(it.app), await user(it, { premium: true }), await user(it)]
  const widget = await me.add('bitcoin', 'ethereum')
  await me.saveCheckpoint(widget.id, 14)
  const theirs = await account.add('bitcoin', 'ethereum')
  const { body: saved } = await account.save(theirs.id, 14)
  const otherWidget = await other.add('bitcoin', 'ethereum')
  const { body: otherSaved } = await other.save(otherWidget.id, 14)
  const document: Document = (await it.app.inject('/api/v1/openapi.json')).json()
  calls = callsOf(document, {
    guest: { headers: { 'x-anonymous-user-id': me.id }, ids: { id: widget.id } },
    user: { headers: await account.identity(), ids: { id: theirs.id, checkpoint_id: saved.id } },
    others: [otherWidget.id, otherSaved.id],
  })
})
afterAll(() => it.close())

/** Everything that belongs to somebody. */
async function everything(): Promise<unknown> {
  const tables = ['owners', 'users', 'widgets', 'checkpoints', 'operations'].map(sql.identifier)
  return Promise.all(tables.map(async (table) => (await it.database.orm.execute(sql`SELECT * FROM ${table}`)).rows))
}

/** The answer's status, once it is known to be a refusal in the API's format. */
async function refused({ method, url, headers, payload }: RawRequest): Promise<number> {
  const answer = await it.app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
  const what = `${method} ${url.slice(0, 200)} ${String(payload).slice(0, 200)} -> ${answer.statusCode} ${answer.payload.slice(0, 300)}` // prettier-ignore
  expect(answer.statusCode, what).toBeGreaterThanOrEqual(400)
  expect(answer.statusCode, what).toBeLessThan(500)
  expect(answer.headers['content-type'], what).toContain('application/json')
  expect(errorBody.safeParse(answer.json()).success, what).toBe(true)
  expect(answer.payload, what).not.toMatch(/node_modules|at \w+ \(|drizzle|SELECT|postgres/i)
  return answer.statusCode
}

test('the document describes every route, with bad input to make for most', () => {
  expect(calls.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'GET /api/v1/widgets',
      'POST /api/v1/widgets',
      'PUT /api/v1/widgets/{id}',
      'DELETE /api/v1/widgets/{id}',
      'POST /api/v1/widgets/reorder',
      'POST /api/v1/widgets/{id}/checkpoints',
      'DELETE /api/v1/widgets/{id}/checkpoints',
      'POST /api/v1/widgets/{id}/checkpoints/reorder',
      'PUT /api/v1/widgets/{id}/checkpoints/{checkpoint_id}',
      'DELETE /api/v1/widgets/{id}/checkpoints/{checkpoint_id}',
      'POST /api/v1/widgets/{id}/checkpoints/{checkpoint_id}/set-default',
      'POST /api/v1/widgets/{id}/checkpoints/anonymous',
      'DELETE /api/v1/widgets/{id}/checkpoints/checkpoint',
      'GET /api/v1/coins/supported',
      'GET /api/v1/coins/{id}/historical',
      'GET /api/v1/settings/tier-limits',
      'GET /api/v1/config',
      'GET /api/v3/simple/price',
    ]),
  )
  const total = calls.reduce((sum, { bad }) => sum + bad.length, 0)
  console.log(`${total} bad requests to ${calls.length} calls`)
  expect(total).toBeGreaterThan(500)
})

describe('bad input', () => {
  test('of every kind, to every call, is refused and changes nothing', async () => {
    const before = await everything()
    for (const { bad } of calls) {
      for (const request of bad) await refused(request)
    }
    expect(await everything()).toEqual(before)
  }, 120_000)

  test('of any JSON is refused, unless it happens to be good', async () => {
    const before = await everything()
    const withBody = calls.filter(({ bodySchema }) => bodySchema !== null)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...withBody),
        fc.json({ maxDepth: 5 }),
        async ({ good, bodySchema }, payload) => {
          const value: unknown = JSON.parse(payload)
          // Nothing is required of an update, so that an empty object is good.
          fc.pre(!(typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0 && bodySchema?.required === undefined)) // prettier-ignore
          await refused({ ...good, payload })
        },
      ),
      { numRuns: 300 },
    )
    expect(await everything()).toEqual(before)
  }, 60_000)

  test('of any bytes is refused', async () => {
    const [call] = calls.filter(({ name }) => name === 'POST /api/v1/widgets')
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        if (call !== undefined) await refused({ ...call.good, payload: Buffer.from(bytes) })
      }),
      { numRuns: 200 },
    )
  })
})

test('addresses that do not exist get 404 in the same format', async () => {
  for (const url of ['/api', '/api/', '/api/v1', '/api/v1/nothing', '/api/v2/widgets', '/api/v1/auth/refresh-token', '/api/%', '/api/v1/widgets/%E0%A4%A', '/api/v1/../../etc/passwd']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      expect(await refused({ method, url, headers: { accept: 'text/html' } }), `${method} ${url}`).toBe(404)
    }
  } // prettier-ignore
})

test('good requests of the same making are accepted, so that what is refused is the fault', async () => {
  const statuses: Record<string, number> = {}
  // What removes comes last, and the inner before the outer.
  const removing = ({ good }: Call) => (good.method === 'DELETE' ? 1000 - good.url.length : 0)
  for (const { name, good } of calls.toSorted((a, b) => removing(a) - removing(b))) {
    statuses[name] = (await it.app.inject({ ...good })).statusCode
  }
  // The only coin that a schema can name is bitcoin, which makes no pair with itself.
  const { 'POST /api/v1/widgets': create, ...rest } = statuses
  expect(create).toBe(422)
  for (const [name, status] of Object.entries(rest)) expect(status, name).toBeLessThan(300)
})
