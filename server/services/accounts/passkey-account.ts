import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { RegisterByPasskeyAnswer, registerByPasskeyBody } from '../../../src/contract/passkeys'
import type { TokenAnswer } from '../../../src/contract/session'
import type { PasskeyChallenge, SignedChallenge } from '../../../src/contract/web-authn'
import { LONGEST_PASSKEY_NAME } from '../../../src/domain/account'
import { ApiError } from '../../http/api-error'
import { passkeys } from '../../db/schema/sessions'
import { PRODUCT } from '../mail/mail-templates'
import { acceptAlone, newTicket, readTicket } from '../passkeys/alone'
import { ALONE, TOO_WEAK, verifyAttestation } from '../passkeys/new-passkey'
import { assertionOptions, CHALLENGE_LIFETIME, refusedPasskey, relyingParty, webAuthn } from '../passkeys/passkeys'
import { commitChange } from '../revisions'
import { newSecret } from '../secrets'
import type { ServiceDeps } from '../service-deps'
import type { Visit } from '../sessions/devices'
import { startSession } from '../sessions/sign-in'
import { readAccount } from './account'
import { emailTaken, newRegistration } from './register'

/* Accounts that passkeys open alone, without a password. A new passkey is stored once, so that no answer makes two accounts. */

type PasskeyAccountDeps = Pick<ServiceDeps, 'env' | 'database' | 'tokenKey' | 'clock' | 'logger'>

/**
 * Begins a sign-in by a passkey, or the making of one for a new account. No account is looked at.
 * @param email of the new account; absent: the user has a passkey, which the browser finds
 */
export async function beginAlone(
  deps: Pick<ServiceDeps, 'env' | 'tokenKey' | 'clock'>,
  email: string | undefined,
): Promise<PasskeyChallenge> {
  const { env } = deps
  const { ticket, challenge } = newTicket(deps)
  if (email === undefined) {
    return { ticket, options: { ...(await assertionOptions(env, [])), challenge, userVerification: 'required' } }
  }
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: PRODUCT,
    rpID: relyingParty(env).id,
    userName: email,
    // The account has no id yet; the passkey is found by its own.
    userID: new Uint8Array(randomBytes(32)),
    authenticatorSelection: ALONE,
    timeout: CHALLENGE_LIFETIME,
  })
  return { ticket, options: { ...options, challenge } }
}

/**
 * Makes an account that its passkey opens, and signs in to it. Until the address is verified by the browser that registers,
 * a reset by mail or Google's takeover removes the passkey with all else.
 * @throws TooManyAttempts; ApiError EMAIL_ALREADY_REGISTERED, PASSKEY_EXISTS, SECOND_FACTOR_REFUSED
 */
export async function registerByPasskey(
  deps: PasskeyAccountDeps,
  { email, ticket, attestation }: z.output<typeof registerByPasskeyBody>,
  visit: Visit,
): Promise<RegisterByPasskeyAnswer> {
  const { database, tokenKey, clock } = deps
  const now = clock()
  const { challenge } = readTicket(tokenKey, ticket, now)
  const { credential, asksWhoYouAre } = await verifyAttestation(deps, attestation, challenge)
  if (!asksWhoYouAre) throw refusedPasskey(TOO_WEAK)
  const secret = newSecret()
  const { value: tokens } = await commitChange(database, now, async (tx) => {
    const user_id = await newRegistration(tx, { email, password_hash: null, secret }, now)
    if (user_id === null) throw emailTaken()
    const name = (visit.deviceLabel ?? 'Passkey').slice(0, LONGEST_PASSKEY_NAME)
    const [row] = await tx
      .insert(passkeys)
      .values({ ...credential, user_id, name, opens_alone: true, created_at: new Date(now) })
      .onConflictDoNothing()
      .returning({ id: passkeys.id })
    if (row === undefined) throw new ApiError('PASSKEY_EXISTS', 'This passkey belongs to an account already.')
    return startSession(tx, deps, { userId: user_id, how: 'passkey', visit }, now)
  })
  return { ...tokens, registration_secret: secret }
}

/**
 * Signs in by a passkey that opens its account alone. It was made by the browser that registered, so that it opens the
 * account before the address is verified as well.
 * @throws ApiError SECOND_FACTOR_REFUSED; FORBIDDEN when the account has been disabled
 */
export async function logInByPasskey(
  deps: PasskeyAccountDeps,
  signed: SignedChallenge,
  visit: Visit,
): Promise<TokenAnswer> {
  const { database, clock } = deps
  const now = clock()
  const { value } = await commitChange(database, now, async (tx) => {
    const isPresented = eq(passkeys.credential_id, signed.assertion.id)
    const [found] = await tx.select({ userId: passkeys.user_id }).from(passkeys).where(isPresented)
    if (found === undefined) throw refusedPasskey()
    // The account first, as every change locks: a reset that is under way may remove the passkey.
    await readAccount(tx, found.userId, 'held')
    await acceptAlone(tx, deps, found.userId, signed, now)
    return startSession(tx, deps, { ...found, how: 'passkey', visit }, now)
  })
  return value
}
