import { parseOptions } from '@node-rs/argon2'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { hashPassword, NOBODYS, verifyPassword } from '../../server/services/accounts/password'
import { newEmail, PASSWORD } from './support/accounts'
import { CALLS, compareAddresses, type TimedCall } from './support/account-timing'
import { withServer } from './support/for-file'
import { newUser } from './support/new-user'
import { atRealCost } from './support/password-cost'

/*
 * The certain part of how long answers take: the same statements, the same hash, the same bytes. How long
 * they really take, `npm run test:bars` measures.
 */
const server = withServer()

test.each(CALLS)('%s is answered in the same bytes with and without an account', async (call: TimedCall) => {
  const { known, unknown } = await compareAddresses(call, 3)
  expect(new Set([...known.answers, ...unknown.answers].map((seen) => JSON.stringify(seen))).size).toBe(1)
})

test('sign-in and link requests run the same SQL statements for known, Google-only and unknown email addresses', async () => {
  const known = newEmail()
  await newUser(server.database, server.clock(), { email: known, password: PASSWORD })
  const google = newEmail()
  await newUser(server.database, server.clock(), { email: google })
  // Of the connections, so that statements inside a transaction are seen as well.
  const query = vi.spyOn(Client.prototype, 'query')
  const statements = async (ask: () => Promise<unknown>) => {
    query.mockClear()
    await ask()
    return query.mock.calls.map(([asked]: readonly unknown[]) =>
      typeof asked === 'string' ? asked : (asked as { text: string }).text,
    )
  }
  for (const ask of [
    (email: string) => server.logIn(email, 'wrong'),
    (email: string) => server.post('/users/request-password-reset', { email }),
    (email: string) => server.post('/users/resend-verification-email', { email }),
  ]) {
    const [first, ...others] = [
      await statements(() => ask(known)),
      await statements(() => ask(newEmail())),
      await statements(() => ask(google)),
    ]
    expect(first?.length).toBeGreaterThan(1)
    for (const other of others) expect(other).toEqual(first)
  }
})

test('the dummy hash for accounts without a password has the real argon2 options, and no password matches it', async () => {
  await atRealCost(async () => {
    expect(parseOptions(NOBODYS)).toEqual(parseOptions(await hashPassword(PASSWORD)))
    for (const password of [PASSWORD, '', 'x'.repeat(128)]) expect(await verifyPassword(null, password)).toBe(false)
  })
})
