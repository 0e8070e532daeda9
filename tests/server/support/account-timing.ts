import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { users } from '../../../server/db/schema/users'
import { chooseTransport } from '../../../server/services/mail/choose-transport'
import { startMailWorker } from '../../../server/services/mail/mail-worker'
import { startMailbox } from '../../support/mailbox'
import { newEmail, PASSWORD } from './accounts'
import { newUser } from './new-user'
import type { Answered } from './person'
import { testApp, type TestApp } from './test-app'
import { interleaved, type Sides } from './timing'

/** A stranger's view of an answer: all but the parts that differ between any two. */
export interface Seen {
  readonly status: number
  readonly headers: string
  readonly body: string
}

function seen({ status, headers, body }: Answered<unknown>): Seen {
  const { date: _date, 'x-request-id': _id, ...rest } = headers
  return { status, headers: JSON.stringify(rest), body: JSON.stringify(body) }
}

export const CALLS = ['sign-in with a wrong password', 'asking for a verification link', 'asking for a reset'] as const
export type TimedCall = (typeof CALLS)[number]

/** Compares an address that has an account with one that has none, on the real app while the real worker sends its mails. */
export async function compareAddresses(call: TimedCall, tries: number): Promise<Sides<Seen>> {
  const mailbox = await startMailbox()
  const server = await testApp({ env: { SMTP_URL: mailbox.url } })
  const { env, database, clock } = server
  const worker = await startMailWorker({ env, database, clock, transport: chooseTransport(env, clock) })
  try {
    const [known, unknown] = [newEmail(), newEmail()]
    const { id } = await newUser(database, clock(), { email: known, password: PASSWORD })
    // Else there would be no mail to send, and no work that could be noticed.
    if (call === 'asking for a verification link')
      await database.orm.update(users).set({ email_verified_at: null }).where(eq(users.id, id))
    const ask = async (email: string) => seen(await send(server, call, email))
    return await interleaved(tries, { known: () => ask(known), unknown: () => ask(unknown) }, randomInt(2 ** 31))
  } finally {
    await worker.stop()
    await server.close()
    await mailbox.stop()
  }
}

function send(server: TestApp, call: TimedCall, email: string): Promise<Answered<unknown>> {
  switch (call) {
    case 'sign-in with a wrong password':
      return server.logIn(email, 'a wrong password')
    case 'asking for a verification link':
      return server.post('/users/resend-verification-email', { email })
    case 'asking for a reset':
      return server.post('/users/request-password-reset', { email })
  }
}
