import { and, eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { AddPasskeyAnswer, addPasskeyBody, Passkey, PasskeysAnswer } from '../../../src/contract/passkeys'
import type { PasskeyChallenge } from '../../../src/contract/web-authn'
import { MAX_PASSKEYS } from '../../../src/domain/account'
import { ApiError } from '../../http/api-error'
import { passkeys, recovery_codes } from '../../db/schema/sessions'
import { accountOfUser, ownAccount, requireVerified } from '../accounts/account'
import { type Caller, requireUser, withOwnerLock } from '../owners'
import { PRODUCT } from '../mail/mail-templates'
import { requestMail } from '../mail/queued-mail'
import { recordSecurityEvent } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import type { Visit } from '../sessions/devices'
import { forgetOtherConfirmations, freshUntil, requireFreshSignIn } from '../sessions/sessions'
import {
  CHALLENGE_LIFETIME,
  descriptorOf,
  hasPasskeysAlone,
  type PasskeyRow,
  passkeysOf,
  refusedPasskey,
  relyingParty,
  removeRecoveryCodes,
  replaceRecoveryCodes,
  storeChallenge,
  takeChallenge,
  webAuthn,
} from './passkeys'
import { ALONE, BESIDE, TOO_WEAK, verifyAttestation } from './new-passkey'
import { tellOfRemoval } from './tell-of-removal'

type OwnPasskeysDeps = Pick<ServiceDeps, 'database' | 'env' | 'clock' | 'logger'>

const passkeyAnswer = ({ id, name, created_at, last_used_at }: PasskeyRow): Passkey => ({
  id,
  name,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
})

/** @throws ApiError TOKEN_EXPIRED when the session has ended */
export async function listPasskeys({ database, clock }: OwnPasskeysDeps, caller: Caller): Promise<PasskeysAnswer> {
  const { orm } = database
  const { id } = await ownAccount(orm, caller)
  return {
    passkeys: (await passkeysOf(orm, id)).map(passkeyAnswer),
    recovery_codes_left: await orm.$count(recovery_codes, eq(recovery_codes.user_id, id)),
    fresh_until: (await freshUntil(orm, caller, clock()))?.toISOString() ?? null,
  }
}

/**
 * Begins adding a passkey.
 * @throws ApiError EMAIL_NOT_VERIFIED, FRESH_SIGN_IN_REQUIRED, PASSKEY_LIMIT_REACHED, TOKEN_EXPIRED
 */
export function beginPasskey({ database, env, clock }: OwnPasskeysDeps, caller: Caller): Promise<PasskeyChallenge> {
  const now = clock()
  return withOwnerLock(database, caller, now, async (tx, { id }) => {
    const account = await accountOfUser(tx, id)
    requireVerified(account)
    await requireFreshSignIn(tx, caller, now)
    const there = await passkeysOf(tx, id)
    requireRoom(there)
    const { generateRegistrationOptions } = await webAuthn()
    const options = await generateRegistrationOptions({
      rpName: PRODUCT,
      rpID: relyingParty(env).id,
      userName: account.email,
      // The account's own id: a passkey that is made again on the same device takes the place of the one before.
      userID: new TextEncoder().encode(id),
      excludeCredentials: there.map(descriptorOf),
      authenticatorSelection: hasPasskeysAlone(account) ? ALONE : BESIDE,
      timeout: CHALLENGE_LIFETIME,
    })
    const { challenge } = options
    const session_id = requireUser(caller).sessionId
    const ticket = await storeChallenge(tx, { purpose: 'add', user_id: id, session_id, challenge }, now)
    return { ticket, options: { ...options } }
  })
}

/**
 * Adds the passkey that the browser has made. The first one brings recovery codes.
 * @throws ApiError FRESH_SIGN_IN_REQUIRED, SECOND_FACTOR_REFUSED, PASSKEY_EXISTS, PASSKEY_LIMIT_REACHED, TOKEN_EXPIRED
 */
export async function addPasskey(
  deps: OwnPasskeysDeps,
  caller: Caller,
  { ticket, name, attestation }: z.output<typeof addPasskeyBody>,
  { deviceLabel: device }: Pick<Visit, 'deviceLabel'>,
): Promise<AddPasskeyAnswer> {
  const { database, clock } = deps
  const now = clock()
  await requireFreshSignIn(database.orm, caller, now)
  const asked = await takeChallenge(database.orm, 'add', ticket, now)
  if (asked === undefined || asked.session_id !== requireUser(caller).sessionId) {
    throw refusedPasskey('Adding the passkey took too long. Please try again.')
  }
  const made = await verifyAttestation(deps, attestation, asked.challenge)
  return withOwnerLock(database, caller, now, async (tx, { id }) => {
    if (id !== asked.user_id) throw refusedPasskey()
    // Another session's first passkey may have ended this one's freshness meanwhile.
    await requireFreshSignIn(tx, caller, now)
    const there = await passkeysOf(tx, id)
    requireRoom(there)
    const account = await accountOfUser(tx, id)
    const opens_alone = hasPasskeysAlone(account)
    if (opens_alone && !made.asksWhoYouAre) throw refusedPasskey(TOO_WEAK)
    const [row] = await tx
      .insert(passkeys)
      .values({ ...made.credential, user_id: id, name, opens_alone, created_at: new Date(now) })
      .onConflictDoNothing()
      .returning()
    if (row === undefined) throw new ApiError('PASSKEY_EXISTS', 'This passkey has been added already.')
    tx.raise(id, 'account')
    await recordSecurityEvent(tx, { userId: id, kind: 'passkey-added', about: name }, now)
    await requestMail(tx, { kind: 'passkey-added', email: account.email, device, passkey: row.id }, now)
    if (there.length > 0) return { passkey: passkeyAnswer(row), recovery_codes: null }
    // From now on only who shows a passkey counts as having shown who they are.
    await forgetOtherConfirmations(tx, caller)
    return { passkey: passkeyAnswer(row), recovery_codes: await replaceRecoveryCodes(tx, id) }
  })
}

/**
 * Removes a passkey of the caller's. With the last one the account signs in without a second step again, and the recovery
 * codes go.
 * @throws ApiError FRESH_SIGN_IN_REQUIRED, NOT_FOUND, TOKEN_EXPIRED; FORBIDDEN where nothing else opens the account
 */
export function removePasskey({ database, clock }: OwnPasskeysDeps, caller: Caller, passkey: string): Promise<void> {
  const now = clock()
  return withOwnerLock(database, caller, now, async (tx, { id }) => {
    await requireFreshSignIn(tx, caller, now)
    const [gone] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, passkey), eq(passkeys.user_id, id)))
      .returning({ name: passkeys.name, opens_alone: passkeys.opens_alone })
    if (gone === undefined) throw new ApiError('NOT_FOUND', 'There is no such passkey.')
    tx.raise(id, 'account')
    const account = await accountOfUser(tx, id)
    const left = await passkeysOf(tx, id)
    if (gone.opens_alone && hasPasskeysAlone(account) && !left.some(({ opens_alone }) => opens_alone)) {
      throw new ApiError('FORBIDDEN', 'Set a password first: without this passkey nobody could log in to this account.')
    }
    if (left.length === 0) await removeRecoveryCodes(tx, id)
    await tellOfRemoval(tx, account, [gone.name], now)
  })
}

/**
 * Makes new recovery codes; the ones before are worthless.
 * @throws ApiError FRESH_SIGN_IN_REQUIRED, NOT_FOUND where there is no passkey to stand in for, TOKEN_EXPIRED
 */
export function renewRecoveryCodes({ database, clock }: OwnPasskeysDeps, caller: Caller): Promise<string[]> {
  const now = clock()
  return withOwnerLock(database, caller, now, async (tx, { id }) => {
    await requireFreshSignIn(tx, caller, now)
    if ((await passkeysOf(tx, id)).length === 0) throw new ApiError('NOT_FOUND', 'This account has no passkey.')
    tx.raise(id, 'account')
    await recordSecurityEvent(tx, { userId: id, kind: 'recovery-codes-renewed' }, now)
    return replaceRecoveryCodes(tx, id)
  })
}

function requireRoom(there: readonly PasskeyRow[]): void {
  if (there.length < MAX_PASSKEYS) return
  throw new ApiError('PASSKEY_LIMIT_REACHED', `An account has at most ${MAX_PASSKEYS} passkeys. Remove one first.`)
}
