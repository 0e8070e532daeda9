import { randomBytes } from 'node:crypto'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { Assertion, PasskeyChallenge } from '../../../src/contract/web-authn'
import { formatRecoveryCode, readRecoveryCode, RECOVERY_CODE_LENGTH, RECOVERY_CODES } from '../../../src/domain/account'
import { MINUTE } from '../../../src/domain/granularity'
import { ApiError } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { passkey_challenges, passkeys, recovery_codes } from '../../db/schema/sessions'
import type { Env } from '../../env'
import { hashOfSecret, newSecret } from '../secrets'
import type { ServiceDeps } from '../service-deps'

/** Loaded with the first passkey: it takes longer to load than all other packages of the server together. */
export const webAuthn = () => import('@simplewebauthn/server')

/** The site that passkeys belong to (Web Authentication Level 3, 4 "Relying Party"): PUBLIC_URL's host and origin. */
export function relyingParty({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): {
  readonly id: string
  readonly origin: string
} {
  const { hostname, origin } = new URL(PUBLIC_URL)
  return { id: hostname, origin }
}

/** How long a browser may take to answer, milliseconds. */
export const CHALLENGE_LIFETIME = 5 * MINUTE

type Row = typeof passkey_challenges.$inferSelect
type Bound = Pick<Row, 'purpose' | 'user_id' | 'challenge'> & Partial<Pick<Row, 'session_id' | 'first_factor'>>

/**
 * Stores a challenge until its answer comes. Part of a transaction that holds the user's row, and that of the session that asks:
 * one that has ended could not be referred to.
 * @returns the ticket that the client presents with the answer
 */
export async function storeChallenge(tx: Queryable, bound: Bound, now: number): Promise<string> {
  const ticket = newSecret()
  const expires_at = new Date(now + CHALLENGE_LIFETIME)
  await tx.insert(passkey_challenges).values({ ...bound, ticket_hash: hashOfSecret(ticket), expires_at })
  return ticket
}

const named = (ticket: string, purpose: Row['purpose'], now: number) =>
  and(
    eq(passkey_challenges.ticket_hash, hashOfSecret(ticket)),
    eq(passkey_challenges.purpose, purpose),
    gt(passkey_challenges.expires_at, new Date(now)),
  )

/** The challenge of a ticket; it stays as it is. */
export async function findChallenge(
  db: Queryable,
  purpose: Row['purpose'],
  ticket: string,
  now: number,
): Promise<Row | undefined> {
  const [row] = await db
    .select()
    .from(passkey_challenges)
    .where(named(ticket, purpose, now))
  return row
}

/** Uses a ticket up: of several requests with the same one, one gets its challenge. */
export async function takeChallenge(
  db: Queryable,
  purpose: Row['purpose'],
  ticket: string,
  now: number,
): Promise<Row | undefined> {
  const [row] = await db
    .delete(passkey_challenges)
    .where(named(ticket, purpose, now))
    .returning()
  return row
}

export type PasskeyRow = typeof passkeys.$inferSelect

export const refusedPasskey = (detail = 'This passkey was not recognised. Please try again.') =>
  new ApiError('SECOND_FACTOR_REFUSED', detail)

export const passkeysOf = (db: Queryable, userId: string): Promise<PasskeyRow[]> =>
  db.select().from(passkeys).where(eq(passkeys.user_id, userId)).orderBy(asc(passkeys.created_at), asc(passkeys.id))

/** True if nothing but its passkeys opens the account, which then need nothing beside them. */
export const hasPasskeysAlone = ({
  password_hash,
  google_subject,
}: {
  readonly password_hash: string | null
  readonly google_subject: string | null
}): boolean => password_hash === null && google_subject === null

/** As the browser takes a credential: the transports are hints that it checks itself. */
export const descriptorOf = ({ credential_id, transports }: PasskeyRow) => ({ id: credential_id, transports })

/**
 * Options for signing with one of these passkeys. User verification is preferred, not required: a passkey is asked for
 * beside a password, a Google account or a session, so that a security key without a PIN is proof enough (decision 0113).
 */
export async function assertionOptions(env: Env, allowed: readonly PasskeyRow[]): Promise<PasskeyChallenge['options']> {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(env).id,
    allowCredentials: allowed.map(descriptorOf),
    userVerification: 'preferred',
    timeout: CHALLENGE_LIFETIME,
  })
  return options as PasskeyChallenge['options']
}

/**
 * Accepts a signature of one of the user's passkeys over a challenge. Part of a transaction that holds the user's row, so
 * that two answers with the same counter are not both accepted.
 * @throws ApiError SECOND_FACTOR_REFUSED
 */
export async function acceptAssertion(
  tx: Queryable,
  { env, logger }: Pick<ServiceDeps, 'env' | 'logger'>,
  {
    userId,
    challenge,
    assertion,
    aloneSince,
  }: {
    readonly userId: string
    readonly challenge: string
    readonly assertion: Assertion
    /** When the challenge was given, if nothing stands beside the passkey: used since, it is good for no second answer. */
    readonly aloneSince?: number
  },
  now: number,
): Promise<void> {
  const isPresented = and(eq(passkeys.user_id, userId), eq(passkeys.credential_id, assertion.id))
  const [row] = await tx.select().from(passkeys).where(isPresented).for('update')
  if (row === undefined) throw refusedPasskey()
  const isAlone = aloneSince !== undefined
  const lastUse = row.last_used_at?.getTime() ?? 0
  if (isAlone && (!row.opens_alone || lastUse >= aloneSince)) throw refusedPasskey()
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(env)
  const { authenticatorAttachment, response, ...rest } = assertion
  const { userHandle, ...signed } = response
  const { verifyAuthenticationResponse } = await webAuthn()
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
    requireUserVerification: isAlone,
  }).catch((error: unknown) => {
    logger?.info({ err: error }, 'a passkey was refused')
    throw refusedPasskey()
  })
  if (!verified) throw refusedPasskey()
  // Never earlier than it was, whatever another server's clock says: an answer of before would be good again.
  const last_used_at = new Date(Math.max(now, aloneSince ?? 0, lastUse))
  await tx.update(passkeys).set({ counter: authenticationInfo.newCounter, last_used_at }).where(eq(passkeys.id, row.id))
}

/** Crockford's Base32: I, L, O and U are missing, which look like digits or each other. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const newCode = (): string =>
  Array.from(randomBytes(RECOVERY_CODE_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')

/** With the owner's id, so that one guess tries one account. */
const hashOf = (userId: string, code: string): string => hashOfSecret(`${userId} ${code}`)

/** Replaces a user's recovery codes. The codes themselves are returned here and kept nowhere. */
export async function replaceRecoveryCodes(tx: Queryable, user_id: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  await removeRecoveryCodes(tx, user_id)
  await tx.insert(recovery_codes).values(codes.map((code) => ({ user_id, code_hash: hashOf(user_id, code) })))
  return codes.map(formatRecoveryCode)
}

export async function removeRecoveryCodes(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(recovery_codes).where(eq(recovery_codes.user_id, userId))
}

/** Uses a code up. @returns whether the user had it */
export async function takeRecoveryCode(tx: Queryable, userId: string, typed: string): Promise<boolean> {
  const code = readRecoveryCode(typed)
  if (code === null) return false
  const taken = await tx
    .delete(recovery_codes)
    .where(and(eq(recovery_codes.user_id, userId), eq(recovery_codes.code_hash, hashOf(userId, code))))
    .returning()
  return taken.length > 0
}
