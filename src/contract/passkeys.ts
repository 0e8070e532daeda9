import * as z from 'zod/mini'
import { LONGEST_PASSKEY_NAME } from '../domain/account'
import type { Route } from './route'
import {
  emptyBody,
  googleCallbackBody,
  mailToken,
  messageAnswer,
  presentedPassword,
  tokenAnswer,
  user,
} from './session'
import { assertion, attestation, passkeyChallenge, signedChallenge, ticket } from './web-authn'

const passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: z.string(),
  /** Null: never used. */
  last_used_at: z.nullable(z.string()),
})
export type Passkey = z.infer<typeof passkey>

const passkeysAnswer = z.object({
  passkeys: z.array(passkey),
  recovery_codes_left: z.int(),
  /** End of this session's fresh sign-in; null: it is over. */
  fresh_until: z.nullable(z.string()),
})
export type PasskeysAnswer = z.infer<typeof passkeysAnswer>

export const addPasskeyBody = z.strictObject({
  ticket,
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(LONGEST_PASSKEY_NAME)),
  attestation,
})
const addPasskeyAnswer = z.object({
  passkey,
  /** Made with the first passkey, and shown once: the server keeps hashes. Null for every other passkey. */
  recovery_codes: z.nullable(z.array(z.string())),
})
export type AddPasskeyAnswer = z.infer<typeof addPasskeyAnswer>

/** `email`: the account's address. */
const disownPasskeyAnswer = z.extend(messageAnswer, { email: z.string() })

export const secondFactorBody = z.union([
  signedChallenge,
  z.strictObject({ ticket, recovery_code: z.string().check(z.minLength(1), z.maxLength(64)) }),
])

/** `email`: of a new account, for which a passkey is made. */
const beginAloneBody = z.strictObject({ email: z.optional(z.email().check(z.maxLength(254))) })
export const registerByPasskeyBody = z.strictObject({ email: z.email().check(z.maxLength(254)), ticket, attestation })
export type RegisterByPasskeyBody = z.input<typeof registerByPasskeyBody>
/** With the secret by which the mail's link verifies the address in this browser. */
const registerByPasskeyAnswer = z.extend(tokenAnswer, { registration_secret: z.string() })
export type RegisterByPasskeyAnswer = z.infer<typeof registerByPasskeyAnswer>

/** Proof of the user's identity for an existing session. */
const confirmBody = z.union([
  z.strictObject({ method: z.literal('password'), password: presentedPassword }),
  z.strictObject({ method: z.literal('passkey'), ticket, assertion }),
  z.strictObject({ method: z.literal('google'), google: googleCallbackBody }),
])
export type ConfirmBody = z.infer<typeof confirmBody>

/** Passkeys, the second step of a sign-in, the confirmation of a session, and the link with Google. */
export const passkeyRoutes = {
  secondFactor: {
    method: 'POST',
    path: '/auth/passkey',
    identity: 'none',
    summary: 'Ends a login that needs a passkey, with a passkey or a recovery code',
    body: secondFactorBody,
    answer: tokenAnswer,
  },
  passkeyOptions: {
    method: 'POST',
    path: '/auth/passkey/options',
    identity: 'none',
    summary: 'Begins a login by a passkey alone, or the making of one for a new account; looks at no account',
    body: beginAloneBody,
    answer: passkeyChallenge,
  },
  logInByPasskey: {
    method: 'POST',
    path: '/auth/passkey/login',
    identity: 'none',
    summary: 'Logs in by a passkey of an account that has no password',
    body: signedChallenge,
    answer: tokenAnswer,
  },
  registerByPasskey: {
    method: 'POST',
    path: '/users/register-passkey',
    identity: 'none',
    summary: 'Makes an account that a passkey opens, logs in to it, and mails a link that verifies its address',
    body: registerByPasskeyBody,
    status: 201,
    answer: registerByPasskeyAnswer,
  },
  confirmOptions: {
    method: 'POST',
    path: '/auth/confirm/options',
    identity: 'user',
    summary: "Begins a confirmation with one of the caller's passkeys",
    body: emptyBody,
    answer: passkeyChallenge,
  },
  confirm: {
    method: 'POST',
    path: '/auth/confirm',
    identity: 'user',
    summary: 'Makes the session a fresh login again, by password, passkey or Google',
    body: confirmBody,
    answer: z.object({ fresh_until: z.string() }),
  },
  passkeys: {
    method: 'GET',
    path: '/users/me/passkeys',
    identity: 'user',
    summary: "The caller's passkeys, oldest first",
    answer: passkeysAnswer,
  },
  addPasskeyOptions: {
    method: 'POST',
    path: '/users/me/passkeys/options',
    identity: 'user',
    summary: 'Begins adding a passkey; needs a fresh login',
    body: emptyBody,
    answer: passkeyChallenge,
  },
  addPasskey: {
    method: 'POST',
    path: '/users/me/passkeys',
    identity: 'user',
    summary: 'Adds a passkey; the first one brings recovery codes. Needs a fresh login',
    body: addPasskeyBody,
    status: 201,
    answer: addPasskeyAnswer,
  },
  removePasskey: {
    method: 'DELETE',
    path: '/users/me/passkeys/:id',
    identity: 'user',
    summary: 'Removes a passkey, and with the last one the recovery codes; needs a fresh login',
    params: z.strictObject({ id: z.uuid().check(z.toLowerCase()) }),
    status: 204,
    answer: null,
  },
  disownPasskey: {
    method: 'POST',
    path: '/users/remove-passkey',
    identity: 'none',
    summary: 'Removes a passkey by the link of the mail that told of it, and ends every session of the account',
    body: z.strictObject({ token: mailToken }),
    answer: disownPasskeyAnswer,
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/users/me/recovery-codes',
    identity: 'user',
    summary: 'Replaces the recovery codes; needs a fresh login',
    body: emptyBody,
    answer: z.object({ recovery_codes: z.array(z.string()) }),
  },
  linkGoogle: {
    method: 'POST',
    path: '/users/me/google',
    identity: 'user',
    summary: "Links the caller's account with a Google account; needs a fresh login",
    body: googleCallbackBody,
    answer: user,
  },
  unlinkGoogle: {
    method: 'DELETE',
    path: '/users/me/google',
    identity: 'user',
    summary: 'Ends the link with Google of an account that a password or a passkey opens; needs a fresh login',
    answer: user,
  },
} as const satisfies Record<string, Route>
