import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { API_BASE, type RouteName, routes } from '../../src/contract/routes'
import type { Mail } from '../../server/adapters/mail-transport'
import { passkeys } from '../../server/db/schema/sessions'
import { chargeAddresses, type SharedKind } from '../../server/services/address-limits'
import { deliverMails } from '../../server/services/mail/deliver'
import { newEmail, PASSWORD } from './support/accounts'
import { confirmed } from './support/confirmed'
import { withServer } from './support/for-file'
import { newGuest } from './support/guest'
import type { Headers, Method } from './support/person'

/** Share of the real limits and of 3,000 requests; 1 is the whole. */
const FACTOR = Number(process.env['FLOOD_FACTOR'] ?? 0.02)
const REQUESTS = Math.round(3000 * FACTOR) + 1
const ADDRESSES = Math.min(300, REQUESTS)
// With the whole all tests took half an hour on two busy cores.
vi.setConfig({ testTimeout: Math.max(60_000, FACTOR * 3_600_000) })

const server = withServer({ env: { RATE_LIMIT_FACTOR: String(FACTOR) } })
afterEach(async () => {
  await server.reset()
  await server.database.pool.query('DELETE FROM attempts; DELETE FROM address_counts; DELETE FROM mail_requests')
})

interface Sent {
  readonly method: Method
  readonly path: string
  readonly payload?: string
  readonly headers?: Headers
}
const post = (path: string, body: object, headers: Headers = {}): Sent => ({
  method: 'POST',
  path,
  payload: JSON.stringify(body),
  headers,
})

async function send(remoteAddress: string, { method, path, payload, headers }: Sent): Promise<number> {
  const answer = await server.app.inject({
    method,
    url: `${API_BASE}${path}`,
    remoteAddress,
    headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(payload !== undefined && { payload }),
  })
  return answer.statusCode
}

/** Addresses of one flood alone: each test has others, since a process remembers what an address asked in the last minute. */
let floods = 0
/** From one address, and from many, each in a /24 of its own. */
async function flood(request: (n: number) => Sent): Promise<void> {
  floods += 2
  for (let n = 0; n < REQUESTS; n++) await send(`10.${floods}.0.1`, request(n))
  await floodOfMany((address, n) => send(address, request(n)))
}
async function floodOfMany(ask: (address: string, n: number) => Promise<unknown>): Promise<void> {
  floods += 2
  const address = (n: number) => `10.${floods + (n >> 8)}.${n & 255}.2`
  for (let n = 0; n < REQUESTS; n++) await ask(address(n % ADDRESSES), n)
}

let others = 0
/** An address, and a network, that has asked for nothing yet. */
const another = () => `172.${16 + (others >> 8)}.${others++ & 255}.1`
const sendAsAnother = (sent: Sent): Promise<number> => send(another(), sent)
const charge = (kind: 'asked-price' | 'asked-history', ip: string) =>
  chargeAddresses(server.database, server.env, server.clock)(kind, ip)

const asGuest = (): Headers => ({ 'x-anonymous-user-id': newGuest() })

async function mailsTo(email: string): Promise<readonly Mail[]> {
  const sent: Mail[] = []
  const transport = { send: async (mail: Mail) => void sent.push(mail), close: () => undefined }
  await deliverMails({ env: server.env, database: server.database, transport, clock: server.clock })
  return sent.filter(({ to }) => to === email)
}

const registration = (email: string) => post('/users/register', { email, password: PASSWORD })

/** Limits that networks share, but that of new guests, which have a test of their own. */
type Door = Exclude<SharedKind, 'new-guest'>

/** Another visitor comes through each of these doors. */
const PASSES: Readonly<Record<Door, () => Promise<void>>> = {
  registration: async () => expect(await sendAsAnother(registration(newEmail()))).toBe(201),
  'verify-email': async () => {
    const email = newEmail()
    await server.user({ email })
    await server.setUser(email, { email_verified_at: null })
    expect(await sendAsAnother(post('/users/resend-verification-email', { email }))).toBe(200)
    expect(await mailsTo(email)).toHaveLength(1)
  },
  'reset-password': async () => {
    const email = newEmail()
    await server.user({ email })
    expect(await sendAsAnother(post('/users/request-password-reset', { email }))).toBe(200)
    expect(await mailsTo(email)).toHaveLength(1)
  },
  'guest-feedback': async () =>
    expect(await sendAsAnother(post('/feedback', { message: 'Another word from a guest.' }, asGuest()))).toBe(201),
  'user-feedback': async () => {
    const headers = await (await server.user()).identity()
    expect(await sendAsAnother(post('/feedback', { message: 'A word from a user.' }, headers))).toBe(201)
  },
  'asked-price': async () => expect(await charge('asked-price', another())).toBe(true),
  'asked-history': async () => expect(await charge('asked-history', another())).toBe(true),
}
const DOORS = Object.keys(PASSES) as Door[]

async function passAll(): Promise<void> {
  for (const door of DOORS) await PASSES[door]()
  // A door without a limit for all: it was shut with the others.
  const user = await server.user()
  await confirmed(server, user)
  const [passkey] = await server.database.orm
    .insert(passkeys)
    .values({
      user_id: user.id,
      credential_id: 'id',
      public_key: 'key',
      counter: 0,
      transports: [],
      name: 'Key',
      created_at: new Date(),
    })
    .returning({ id: passkeys.id })
  const removal: Sent = { method: 'DELETE', path: `/users/me/passkeys/${passkey!.id}`, headers: await user.identity() }
  expect(await sendAsAnother(removal)).toBe(204)
}

const WRITES = (Object.keys(routes) as RouteName[]).filter((name) => routes[name].method !== 'GET')

test('empty and malformed requests to each route that writes, from one address and from many, shut no door for another', async () => {
  for (const name of WRITES) {
    const { method, path: pattern } = routes[name]
    const path = pattern.replaceAll(/:\w+/g, () => randomUUID())
    const worthless: readonly Sent[] = [
      { method, path },
      { method, path, payload: '{', headers: asGuest() },
      { method, path, payload: '{}', headers: asGuest() },
      { method, path, payload: '{"email":"nobody","message":""}', headers: asGuest() },
    ]
    await flood((n) => worthless[n % worthless.length]!)
  }
  await passAll()
})

type MailDoor = Exclude<Door, 'asked-price' | 'asked-history'>

/** Requests that are repeated, or lead to nothing. */
const REPETITIONS: Readonly<Record<MailDoor, () => Promise<(n: number) => Sent>>> = {
  registration: async () => {
    const email = newEmail()
    return () => registration(email)
  },
  'verify-email': async () => {
    const email = newEmail()
    await server.user({ email })
    return (n) => post('/users/resend-verification-email', { email: n % 2 ? email : newEmail() })
  },
  'reset-password': async () => {
    const email = newEmail()
    await server.user({ email })
    return (n) => post('/users/request-password-reset', { email: n % 2 ? email : newEmail() })
  },
  'guest-feedback': async () => () => post('/feedback', { message: 'The same words again.' }, asGuest()),
  'user-feedback': async () => {
    const headers = { ...(await (await server.user()).identity()), 'idempotency-key': randomUUID() }
    return () => post('/feedback', { message: 'The same words again.' }, headers)
  },
}

test.each(Object.keys(REPETITIONS) as MailDoor[])(
  'requests that repeat or lead to nothing take nothing of %s',
  async (door) => {
    const request = await REPETITIONS[door]()
    await flood(request)
    await mailsTo('')
    await passAll()
  },
)

const unverified = async () => {
  const email = newEmail()
  await server.user({ email })
  await server.setUser(email, { email_verified_at: null })
  return email
}

/** One valid request for a real purpose, as another visitor each time. */
const VALID: Readonly<Record<Door, (address: string, n: number) => Promise<unknown>>> = {
  registration: (address) => send(address, registration(newEmail())),
  'verify-email': async (address) =>
    send(address, post('/users/resend-verification-email', { email: await unverified() })),
  'reset-password': async (address) =>
    send(address, post('/users/request-password-reset', { email: await unverified() })),
  'guest-feedback': (address, n) =>
    send(address, post('/feedback', { message: `A guest’s word no. ${n}.` }, asGuest())),
  'user-feedback': async (address, n) =>
    send(address, post('/feedback', { message: `A user’s word no. ${n}.` }, await (await server.user()).identity())),
  'asked-price': (address) => charge('asked-price', address),
  'asked-history': (address) => charge('asked-history', address),
}

test.each(DOORS)(
  'valid requests from as many networks as are needed to use up %s leave another network served',
  async (door) => {
    await floodOfMany(VALID[door])
    await mailsTo('')
    await PASSES[door]()
  },
)
