import { randomUUID } from 'node:crypto'
import { API_BASE } from '../../../src/contract/routes'
import type { TokenAnswer, User } from '../../../src/contract/session'
import { linkIn } from '../../support/mailbox'
import type { AccountWorld } from './account-world'

/** A user's own knowledge of their account. */
export interface Person {
  readonly email: string
  readonly password: string
}

export const newPerson = (): Person => ({
  email: `${randomUUID().slice(0, 8)}@example.com`,
  password: 'correct horse battery',
})

/** Makes the account; its address is not verified yet. */
export async function register({ server }: AccountWorld, { email, password }: Person): Promise<void> {
  await call(server.origin, 'POST', '/users/register', { body: { email, password } })
}

/** Follows the link of the last mail on some other device, with the password. */
export async function followLink({ server, mailbox }: AccountWorld, { email, password }: Person): Promise<void> {
  const token = linkIn(await mailbox.next(email), '/verify-email').searchParams.get('token')
  await call(server.origin, 'POST', '/users/verify-email', { body: { token, password } })
}

/** Follows the link of the last mail, and accepts the policies from some other device. */
export async function verify(world: AccountWorld, person: Person): Promise<void> {
  await followLink(world, person)
  const { server } = world
  const { access_token } = await signInElsewhere(server.origin, person)
  await acceptPolicies(server.origin, access_token)
}

/** The tokens of another device of theirs. */
export async function signInElsewhere(origin: string, { email, password }: Person): Promise<TokenAnswer> {
  return (await call(origin, 'POST', '/auth/login', { form: { username: email, password } })) as TokenAnswer
}

export async function acceptPolicies(origin: string, token: string): Promise<User> {
  const body = { terms_accepted: true, privacy_accepted: true }
  return (await call(origin, 'POST', '/users/me/accept-policies', { token, body })) as User
}

interface CallOptions {
  readonly token?: string
  readonly body?: object
  readonly form?: Readonly<Record<string, string>>
}

/** Asks the API; the answer's JSON, null where there is none. */
export async function call(origin: string, method: string, path: string, options: CallOptions = {}): Promise<unknown> {
  const answer = await fetch(`${origin}${API_BASE}${path}`, {
    method,
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body:
      options.form !== undefined
        ? new URLSearchParams(options.form)
        : options.body === undefined
          ? null
          : JSON.stringify(options.body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? null : (JSON.parse(text) as unknown)
}
