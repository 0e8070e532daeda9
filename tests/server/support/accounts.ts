import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { ErrorBody } from '../../../src/contract/errors'
import type { TokenAnswer } from '../../../src/contract/session'
import { DAY, HOUR } from '../../../src/domain/granularity'
import { mail_tokens } from '../../../server/db/schema/mail'
import { normalEmailOf, users } from '../../../server/db/schema/users'
import type { Market } from '../../../server/services/market/market'
import { hashOfSecret, newSecret } from '../../../server/services/secrets'
import { type Answered, type Headers, request } from './person'
import type { TestApp } from './test-app'

type Server = TestApp<Market>
export type Tokens = Answered<TokenAnswer & ErrorBody>
export type Answer = Answered<{ readonly message: string } & ErrorBody>

export const PASSWORD = 'correct horse battery staple'

export const newEmail = (): string => `Ada.${randomUUID().slice(0, 8)}@Example.com`

/** Signs in as a form does, from an address of this machine unless another is said. */
export async function logIn(
  server: Server,
  email: string,
  password = PASSWORD,
  remoteAddress = '127.0.0.1',
  headers: Headers = {},
): Promise<Tokens> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ username: email, password }).toString(),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

export const post = <T>(
  server: Server,
  path: string,
  body: object,
  headers: Headers = {},
): Promise<Answered<T & ErrorBody>> => request(server.app, 'POST', path, body, headers)

/** Header of a browser that has signed in before. */
export const deviceHeader = (token: string | undefined): Headers => ({ 'x-device-token': token ?? '' })

export const register = (
  server: Server,
  email: string,
  password = PASSWORD,
): Promise<Answered<{ readonly message: string; readonly registration_secret?: string } & ErrorBody>> =>
  post(server, '/users/register', { email, password })

/** Proof that the reader of a verification mail chose the account's password. */
export interface RegistrationProof {
  readonly password?: string
  readonly registration_secrets?: readonly string[]
}
/** Follows the link of a verification mail in a browser other than the one that registered, with the password. */
export const verify = (
  server: Server,
  token: string,
  proof: RegistrationProof = { password: PASSWORD },
): Promise<Answered<{ readonly message: string; readonly email?: string } & ErrorBody>> =>
  post(server, '/users/verify-email', { token, ...proof })
export const resetTo = (server: Server, token: string, new_password: string): Promise<Answer> =>
  post(server, '/users/reset-password', { token, new_password })
export const refresh = (server: Server, refresh_token: string): Promise<Tokens> =>
  post(server, '/auth/refresh-token', { refresh_token })
export const logOut = (server: Server, refresh_token: string): Promise<Answered<unknown>> =>
  post(server, '/auth/logout', { refresh_token })

export const bearer = (accessToken: string): Headers => ({ authorization: `Bearer ${accessToken}` })

export async function rowOf(server: Server, email: string): Promise<typeof users.$inferSelect> {
  const [row] = await server.database.orm
    .select()
    .from(users)
    .where(eq(normalEmailOf(users.email), email.toLowerCase()))
  if (row === undefined) throw new Error(`Nobody has the address ${email}.`)
  return row
}

/** The token of a link, as the mail that is sent to an account carries one. */
export async function link(server: Server, email: string, purpose: 'verify-email' | 'reset-password'): Promise<string> {
  const token = newSecret()
  await server.database.orm.insert(mail_tokens).values({
    token_hash: hashOfSecret(token),
    purpose,
    user_id: (await rowOf(server, email)).id,
    request_id: randomUUID(),
    expires_at: new Date(server.clock() + (purpose === 'verify-email' ? DAY : HOUR)),
  })
  return token
}

/** An account that has been registered and verified. */
export async function member(server: Server, email = newEmail(), password = PASSWORD): Promise<string> {
  const made = await register(server, email, password)
  const verified = await verify(server, await link(server, email, 'verify-email'), { password })
  if (made.status !== 201 || verified.status !== 200) throw new Error(JSON.stringify([made.body, verified.body]))
  return email
}

/** A session of an account with a password. */
export async function session(server: Server, email: string, password = PASSWORD): Promise<TokenAnswer> {
  const { status, body } = await logIn(server, email, password)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
