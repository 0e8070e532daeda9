import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { ErrorBody } from '../../../src/contract/errors'
import type { TokenAnswer, User } from '../../../src/contract/session'
import { DAY, HOUR } from '../../../src/domain/granularity'
import { mail_requests, mail_tokens } from '../../../server/db/schema/mail'
import { normalEmailOf, users } from '../../../server/db/schema/users'
import { hashOfSecret, newSecret } from '../../../server/services/secrets'
import { type Answered, type Headers, type Method, request, type RunningApp } from './person'

export type Tokens = Answered<TokenAnswer & ErrorBody>
export type Answer = Answered<{ readonly message: string } & ErrorBody>

export const PASSWORD = 'correct horse battery staple'

/** Proof that the reader of a verification mail chose the account's password. */
export interface RegistrationProof {
  readonly password?: string
  readonly registration_secrets?: readonly string[]
}

export const bearer = (accessToken: string): Headers => ({ authorization: `Bearer ${accessToken}` })

/** Header of a browser that has signed in before. */
export const deviceHeader = (token: string | undefined): Headers => ({ 'x-device-token': token ?? '' })

export const newEmail = (): string => `Ada.${randomUUID().slice(0, 8)}@Example.com`

type Message = Answered<
  { readonly message: string; readonly email?: string; readonly registration_secret?: string } & ErrorBody
>

/** Requests of a visitor on the way to an account and a session, and what the server keeps of it. */
export interface Accounts {
  ask<T>(method: Method, path: string, body?: unknown, headers?: Headers): Promise<Answered<T & ErrorBody>>
  post<T>(path: string, body: object, headers?: Headers): Promise<Answered<T & ErrorBody>>
  /** Signs in as a form does, from an address of this machine unless another is said. */
  logIn(email: string, password?: string, remoteAddress?: string, headers?: Headers): Promise<Tokens>
  register(email: string, password?: string): Promise<Message>
  /** Follows the link of a verification mail in a browser other than the one that registered, with the password. */
  verify(token: string, proof?: RegistrationProof): Promise<Message>
  resetTo(token: string, new_password: string): Promise<Answer>
  refresh(refresh_token: string): Promise<Tokens>
  logOut(refresh_token: string): Promise<Answered<unknown>>
  me(accessToken: string): Promise<Answered<User & ErrorBody>>
  /** Kinds of the mails that wait for an address. */
  mailsTo(email: string): Promise<readonly string[]>
  rowOf(email: string): Promise<typeof users.$inferSelect>
  /** @param who an id, or an address as it is stored */
  setUser(who: string, set: Partial<typeof users.$inferInsert>): Promise<unknown>
  /** The token of a link, as the mail that is sent to an account carries one. */
  link(email: string, purpose: 'verify-email' | 'reset-password'): Promise<string>
  /** An account that has been registered and verified, in one browser. */
  member(email?: string, password?: string): Promise<string>
  /** A session of an account with a password. */
  session(email: string, password?: string): Promise<TokenAnswer>
}

export function accounts({ app, database: { orm }, clock }: RunningApp): Accounts {
  const ask: Accounts['ask'] = (method, path, body, headers = {}) => request(app, method, path, body, headers)
  const server: Accounts = {
    ask,
    post: (path, body, headers) => ask('POST', path, body, headers),
    logIn: async (email, password = PASSWORD, remoteAddress = '127.0.0.1', headers = {}) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/v1/auth/login',
        remoteAddress,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: new URLSearchParams({ username: email, password }).toString(),
      })
      return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
    },
    register: (email, password = PASSWORD) => server.post('/users/register', { email, password }),
    verify: (token, proof = { password: PASSWORD }) => server.post('/users/verify-email', { token, ...proof }),
    resetTo: (token, new_password) => server.post('/users/reset-password', { token, new_password }),
    refresh: (refresh_token) => server.post('/auth/refresh-token', { refresh_token }),
    logOut: (refresh_token) => server.post('/auth/logout', { refresh_token }),
    me: (accessToken) => ask('GET', '/users/me', undefined, bearer(accessToken)),
    mailsTo: async (email) =>
      (await orm.select().from(mail_requests).where(eq(mail_requests.email, email))).map(({ kind }) => kind),
    rowOf: async (email) => {
      const [row] = await orm
        .select()
        .from(users)
        .where(eq(normalEmailOf(users.email), email.toLowerCase()))
      if (row === undefined) throw new Error(`Nobody has the address ${email}.`)
      return row
    },
    setUser: (who, set) =>
      orm
        .update(users)
        .set(set)
        .where(eq(who.includes('@') ? users.email : users.id, who)),
    link: async (email, purpose) => {
      const token = newSecret()
      await orm.insert(mail_tokens).values({
        token_hash: hashOfSecret(token),
        purpose,
        user_id: (await server.rowOf(email)).id,
        request_id: randomUUID(),
        expires_at: new Date(clock() + (purpose === 'verify-email' ? DAY : HOUR)),
      })
      return token
    },
    member: async (email = newEmail(), password = PASSWORD) => {
      const made = await server.register(email, password)
      const proof = { registration_secrets: [made.body.registration_secret ?? ''] }
      const verified = await server.verify(await server.link(email, 'verify-email'), proof)
      if (made.status !== 201 || verified.status !== 200) throw new Error(JSON.stringify([made.body, verified.body]))
      return email
    },
    session: async (email, password = PASSWORD) => {
      const { status, body } = await server.logIn(email, password)
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body
    },
  }
  return server
}
