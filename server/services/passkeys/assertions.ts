import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server' // prettier-ignore
import { and, asc, eq } from 'drizzle-orm'
import type { Assertion, PasskeyChallenge } from '../../../src/contract/passkeys'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import type { Queryable } from '../../db/open'
import { passkeys } from '../../db/schema/passkeys'
import { CHALLENGE_LIFETIME } from './challenges'
import { relyingParty } from './relying-party'

export type PasskeyRow = typeof passkeys.$inferSelect

export const refusedPasskey = (detail = 'This passkey was not recognised. Please try again.') =>
  new ApiError('SECOND_FACTOR_REFUSED', detail)

export const passkeysOf = (db: Queryable, userId: string): Promise<PasskeyRow[]> =>
  db.select().from(passkeys).where(eq(passkeys.user_id, userId)).orderBy(asc(passkeys.created_at), asc(passkeys.id))

/** As the browser takes a credential: the transports are hints that it checks itself. */
export const descriptorOf = ({ credential_id, transports }: PasskeyRow) => ({ id: credential_id, transports })

/**
 * Options for signing with one of these passkeys. User verification is preferred, not required: a passkey is asked for
 * beside a password, a Google account or a session, so that a security key without a PIN is proof enough (decision 0113).
 */
export const assertionOptions = (
  env: AppParts['env'],
  allowed: readonly PasskeyRow[],
): Promise<PasskeyChallenge['options']> =>
  generateAuthenticationOptions({
    rpID: relyingParty(env).id,
    allowCredentials: allowed.map(descriptorOf),
    userVerification: 'preferred',
    timeout: CHALLENGE_LIFETIME,
  }) as Promise<PasskeyChallenge['options']>

/**
 * Accepts a signature of one of the user's passkeys over a challenge. Part of a transaction that holds the user's row, so
 * that two answers with the same counter are not both accepted.
 * @throws ApiError SECOND_FACTOR_REFUSED
 */
export async function acceptAssertion(
  tx: Queryable,
  { env, logger }: Pick<AppParts, 'env' | 'logger'>,
  { userId, challenge, assertion }: { readonly userId: string; readonly challenge: string; readonly assertion: Assertion }, // prettier-ignore
  now: number,
): Promise<void> {
  const isPresented = and(eq(passkeys.user_id, userId), eq(passkeys.credential_id, assertion.id))
  const [row] = await tx.select().from(passkeys).where(isPresented).for('update')
  if (row === undefined) throw refusedPasskey()
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(env)
  const { authenticatorAttachment, response, ...rest } = assertion
  const { userHandle, ...signed } = response
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...rest,
      response: { ...signed, ...(userHandle !== undefined && { userHandle }) },
      ...(authenticatorAttachment !== undefined && { authenticatorAttachment }),
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      // A counter that did not grow belongs to a copy of the authenticator; the library refuses it.
      counter: row.counter,
      transports: row.transports,
    },
    requireUserVerification: false,
  }).catch((error: unknown) => {
    logger?.info({ err: error }, 'a passkey was refused')
    throw refusedPasskey()
  })
  if (!verified) throw refusedPasskey()
  await tx
    .update(passkeys)
    .set({ counter: authenticationInfo.newCounter, last_used_at: new Date(now) })
    .where(eq(passkeys.id, row.id))
}
