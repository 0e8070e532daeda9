import type { AddPasskeyAnswer, PasskeysAnswer } from '../../../src/contract/passkeys'
import type { PasskeyChallenge } from '../../../src/contract/web-authn'
import type { ErrorBody } from '../../../src/contract/errors'
import type { TokenAnswer } from '../../../src/contract/session'
import type { Market } from '../../../server/services/market/market'
import { type Authenticator, newAuthenticator } from '../../support/authenticator'
import { bearer, type Tokens } from './accounts'
import type { Answered } from './person'
import type { TestApp } from './test-app'

type Server = TestApp<Market>

/** Adds a passkey to the account of a session. */
export async function addPasskey(
  server: Server,
  { access_token }: TokenAnswer,
  key: Authenticator = newAuthenticator(server.env.PUBLIC_URL),
): Promise<{ readonly key: Authenticator; readonly added: AddPasskeyAnswer }> {
  const { ticket, options } = await begin(server, '/users/me/passkeys/options', access_token)
  const attestation = key.create({ challenge: options.challenge })
  const body = { ticket, name: 'My key', attestation }
  const answer = await server.post<AddPasskeyAnswer>('/users/me/passkeys', body, bearer(access_token))
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return { key, added: answer.body }
}

async function begin(server: Server, path: string, accessToken: string): Promise<PasskeyChallenge> {
  const answer = await server.post<PasskeyChallenge>(path, {}, bearer(accessToken))
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export const beginConfirmation = (server: Server, accessToken: string): Promise<PasskeyChallenge> =>
  begin(server, '/auth/confirm/options', accessToken)

/** The first step of a sign-in with a password, which ends in a challenge. */
export async function firstStep(server: Server, email: string, password?: string): Promise<PasskeyChallenge> {
  const { status, body } = await server.logIn(email, password)
  if (status !== 403 || body.error_code !== 'SECOND_FACTOR_REQUIRED')
    throw new Error(`${status} ${JSON.stringify(body)}`)
  return (body as unknown as { second_factor: PasskeyChallenge }).second_factor
}

export const secondStep = (server: Server, body: object): Promise<Tokens> => server.post('/auth/passkey', body)

/** Both steps. */
export async function passkeySession(server: Server, email: string, key: Authenticator): Promise<TokenAnswer> {
  const { ticket, options } = await firstStep(server, email)
  const { status, body } = await secondStep(server, { ticket, assertion: key.get({ challenge: options.challenge }) })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

export const passkeysOf = (server: Server, accessToken: string): Promise<Answered<PasskeysAnswer & ErrorBody>> =>
  server.ask('GET', '/users/me/passkeys', undefined, bearer(accessToken))
