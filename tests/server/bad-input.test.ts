import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { errorBody } from '../../src/contract/errors'
import { type Call, callsOf, type Document, type RawRequest } from './support/bad-requests'
import { mayBeNothing } from './support/schema-values'
import { fakePayments } from './support/fake-payments'
import { START } from './support/test-clock'
import { withServer } from './support/for-file'

const env = { ENABLE_TESTING_ROUTES: 'true', PUSH_ALLOWED_HOSTS: 'ratio.example' }
const server = withServer({ env, deps: { payments: fakePayments(() => START) } })
let calls: Call[]
beforeAll(async () => {
  const [me, account, other, boss] = [
    server.guest(),
    await server.user({ premium: true }),
    await server.user(),
    await server.user({ superuser: true }),
  ]
  const widget = await me.add('bitcoin', 'ethereum')
  await me.saveCheckpoint(widget.id, 14)
  const move = { kind: 'move', level: 5, window: '24h' }
  const { body: rule } = await me.ask<{ readonly id: string }>('POST', `/widgets/${widget.id}/rules`, move)
  const theirs = await account.add('bitcoin', 'ethereum')
  const { body: saved } = await account.save(theirs.id, 14)
  const otherWidget = await other.add('bitcoin', 'ethereum')
  const { body: otherSaved } = await other.save(otherWidget.id, 14)
  const document: Document = (await server.app.inject('/api/v1/openapi.json')).json()
  calls = callsOf(document, {
    guest: { headers: { 'x-anonymous-user-id': me.id }, ids: { id: widget.id, rule_id: rule.id } },
    user: { headers: await account.identity(), ids: { id: theirs.id, checkpoint_id: saved.id } },
    superuser: { headers: await boss.identity(), ids: { id: other.id } },
    others: [otherWidget.id, otherSaved.id],
  })
})

/** All routes that belong to a user, or act for one; the server counts wrong passwords, which stands apart. */
async function everything(): Promise<unknown> {
  const tables =
    'owners users sessions refresh_tokens widgets checkpoints alert_rules operations feedback push_subscriptions mail_requests mail_tokens billing_customers subscriptions billing_events billing_removals audit_log'
      .split(' ')
      .map(sql.identifier)
  return Promise.all(tables.map(async (table) => (await server.database.orm.execute(sql`SELECT * FROM ${table}`)).rows))
}

/** The answer's status, once it is known to be a refusal in the API's format. */
async function refused({ method, url, headers, payload }: RawRequest): Promise<number> {
  const answer = await server.app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
  const what = `${method} ${url.slice(0, 200)} ${String(payload).slice(0, 200)} -> ${answer.statusCode} ${answer.payload.slice(0, 300)}`
  expect(answer.statusCode, what).toBeGreaterThanOrEqual(400)
  expect(answer.statusCode, what).toBeLessThan(500)
  expect(answer.headers['content-type'], what).toContain('application/json')
  expect(errorBody.safeParse(answer.json()).success, what).toBe(true)
  expect(answer.payload, what).not.toMatch(/node_modules|at \w+ \(|drizzle|SELECT|postgres/i)
  return answer.statusCode
}

test('the OpenAPI document yields more than 500 bad requests', () => {
  const total = calls.reduce((sum, { bad }) => sum + bad.length, 0)
  console.log(`${total} bad requests to ${calls.length} calls`)
  expect(total).toBeGreaterThan(500)
})

test('API calls refuse all bad requests derived from the OpenAPI document, and the database stays unchanged', async () => {
  const before = await everything()
  for (const { bad } of calls) {
    for (const request of bad) await refused(request)
  }
  expect(await everything()).toEqual(before)
}, 120_000)

test('API calls refuse random JSON bodies, and the database stays unchanged', async () => {
  const before = await everything()
  const withBody = calls.filter(({ bodySchema }) => bodySchema !== null)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...withBody), fc.json({ maxDepth: 5 }), async ({ good, bodySchema }, payload) => {
      const value: unknown = JSON.parse(payload)
      fc.pre(!(value === null && bodySchema !== null && mayBeNothing(bodySchema)))
      // Nothing is required of an update, so that an empty object is good.
      fc.pre(
        !(
          typeof value === 'object' &&
          value !== null &&
          !Array.isArray(value) &&
          Object.keys(value).length === 0 &&
          bodySchema?.required === undefined
        ),
      )
      await refused({ ...good, payload })
    }),
    { numRuns: 300 },
  )
  expect(await everything()).toEqual(before)
}, 60_000)

test('widget creation refuses bodies of random bytes', async () => {
  const [call] = calls.filter(({ name }) => name === 'POST /api/v1/widgets')
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      if (call !== undefined) await refused({ ...call.good, payload: Buffer.from(bytes) })
    }),
    { numRuns: 200 },
  )
})

test('unknown addresses under /api get 404 in the API error format for GET, POST, PUT and DELETE', async () => {
  for (const url of [
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/nothing',
    '/api/v2/widgets',
    '/api/v1/auth/tokens',
    '/api/%',
    '/api/v1/widgets/%E0%A4%A',
    '/api/v1/../../etc/passwd',
  ]) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      expect(await refused({ method, url, headers: { accept: 'text/html' } }), `${method} ${url}`).toBe(404)
    }
  }
})

/** Rules that no schema can say: the only coin it names is bitcoin, which makes no pair with itself; secrets belong to no user, no host is at a webhook's address. */
const REFUSED_ALL_THE_SAME: Readonly<Record<string, number>> = {
  'POST /api/v1/widgets': 422,
  'POST /api/v1/auth/login': 401,
  'POST /api/v1/auth/google/callback': 401,
  'POST /api/v1/auth/refresh-token': 401,
  'POST /api/v1/push/shown': 401,
  'POST /api/v1/users/verify-email': 400,
  'POST /api/v1/users/reset-password': 400,
  'POST /api/v1/users/remove-passkey': 400,
  'POST /api/v1/users/me/change-password': 403,
  'DELETE /api/v1/users/me': 403,
  'POST /api/v1/auth/passkey': 403,
  'POST /api/v1/auth/passkey/login': 403,
  'POST /api/v1/users/register-passkey': 403,
  'POST /api/v1/auth/confirm': 403,
  'POST /api/v1/auth/confirm/options': 404,
  'POST /api/v1/users/me/passkeys': 403,
  'DELETE /api/v1/users/me/passkeys/{id}': 404,
  'POST /api/v1/users/me/recovery-codes': 404,
  'POST /api/v1/users/me/google': 401,
  'DELETE /api/v1/users/me/google': 403,
  // A guest has one.
  'POST /api/v1/widgets/{id}/rules': 403,
  'POST /api/v1/alerts/channels': 422,
  'PUT /api/v1/alerts/channels/{id}': 404,
  'DELETE /api/v1/alerts/channels/{id}': 404,
  'POST /api/v1/alerts/channels/{id}/test': 404,
  'POST /api/v1/alerts/channels/{id}/rotate': 404,
}

test('good requests derived from the OpenAPI document are accepted, save known refusals (control for the bad requests)', async () => {
  const statuses: Record<string, number> = {}
  // Removals come last, and the inner before the outer; a user who has left can ask for nothing more.
  const removing = ({ good }: Call) =>
    /delete-oauth|reset-user-state/.test(good.url) ? 2000 : good.method === 'DELETE' ? 1000 - good.url.length : 0
  // A stream has no end to wait for.
  const ending = calls.filter(({ name }) => name !== 'GET /api/v1/stream')
  for (const { name, good } of ending.toSorted((a, b) => removing(a) - removing(b))) {
    statuses[name] = (await server.app.inject({ ...good })).statusCode
  }
  for (const [name, status] of Object.entries(statuses)) {
    const refusal = REFUSED_ALL_THE_SAME[name]
    if (refusal === undefined) expect(status, name).toBeLessThan(300)
    else expect(status, name).toBe(refusal)
  }
})
