import * as z from 'zod/mini'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../domain/account'
import type { Route } from './route'
import { isoTime } from './scalars'
import { signedChallenge } from './web-authn'

export const user = z.object({
  id: z.uuid(),
  email: z.string(),
  has_premium_access: z.boolean(),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
  /** False: the account signs in with Google or a passkey alone. */
  has_password: z.boolean(),
  /** Absent in answers of older servers. */
  has_google: z.optional(z.boolean()),
  has_passkeys: z.optional(z.boolean()),
  /** True: a passkey opens the account alone. */
  opens_by_passkey: z.optional(z.literal(true)),
  /** False: nobody has opened the link of the verification mail yet; absent: verified. */
  email_verified: z.optional(z.literal(false)),
  /** True: the account has bought a subscription at some time, which the payment provider's portal shows. */
  has_billing_account: z.optional(z.boolean()),
  created_at: z.string(),
  accepted_terms_version: z.nullable(z.string()),
  accepted_terms_at: z.nullable(z.string()),
  accepted_privacy_version: z.nullable(z.string()),
  accepted_privacy_at: z.nullable(z.string()),
  /** When the user asked for the deletion, `DELETION_GRACE_DAYS` before it. */
  deletion_scheduled_at: z.nullable(z.string()),
})
export type User = z.infer<typeof user>

/** As long as a path of RFC 5321 may be. */
const email = z.email().check(z.maxLength(254))
const newPassword = z.string().check(z.minLength(SHORTEST_PASSWORD), z.maxLength(LONGEST_PASSWORD))
/** A password as the user types it to log in; the rules for new passwords do not apply. */
export const presentedPassword = z.string().check(z.minLength(1), z.maxLength(1024))
/** From a link in a mail. */
export const mailToken = z.string().check(z.minLength(1), z.maxLength(256))

/** Form-encoded, as OAuth 2's password grant names its fields (RFC 6749, 4.3.2); `username` is the e-mail address. */
export const loginBody = z.strictObject({
  username: z.string().check(z.minLength(1), z.maxLength(254)),
  password: presentedPassword,
  grant_type: z.optional(z.literal('password')),
})
export const registerBody = z.strictObject({ email, password: newPassword })
const emailBody = z.strictObject({ email })
/**
 * The link of a verification mail, and a proof that its reader chose what opens the account: a secret from a registration
 * in this browser, the password, or the passkey of an account that has none.
 */
export const verifyEmailBody = z.strictObject({
  token: mailToken,
  registration_secrets: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(256))).check(z.maxLength(10))),
  password: z.optional(presentedPassword),
  passkey: z.optional(signedChallenge),
})
export const resetPasswordBody = z.strictObject({ token: mailToken, new_password: newPassword })
/** `code_verifier` is PKCE's (RFC 7636), `nonce` the ID token's, `iss` the provider's name of itself (RFC 9207). */
export const googleCallbackBody = z.strictObject({
  code: z.string().check(z.minLength(1), z.maxLength(2048)),
  redirect_uri: z.url().check(z.maxLength(2048)),
  code_verifier: z.string().check(z.regex(/^[A-Za-z0-9\-._~]{43,128}$/)),
  nonce: z.string().check(z.minLength(16), z.maxLength(256)),
  iss: z.optional(z.string().check(z.maxLength(2048))),
})

const refreshTokenBody = z.strictObject({ refresh_token: z.string().check(z.minLength(1), z.maxLength(1024)) })
export const tokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
  /** Seconds. */
  expires_in: z.int(),
  user: z.optional(user),
  /** This sign-in cancelled a scheduled deletion. */
  deletion_cancelled: z.optional(z.boolean()),
  /** Names the browser at its next sign-ins, to whichever account. */
  device_token: z.optional(z.string()),
})
export type TokenAnswer = z.infer<typeof tokenAnswer>

/** Carries `device_token` at a sign-in. A header, since earlier servers refuse unknown fields of a body. */
export const DEVICE_TOKEN_HEADER = 'x-device-token'

/** Carries the secret of a registration at a login: the browser that registered an address uses it before it is verified. */
export const REGISTRATION_SECRET_HEADER = 'x-registration-secret'

/**
 * Names an attempt to refresh (a UUID), the same in each repetition of it: a client whose answer was lost repeats its own
 * attempt, a thief makes another. Sent at a sign-in too, by clients that name their attempts.
 */
export const REFRESH_ATTEMPT_HEADER = 'x-refresh-attempt'

export const messageAnswer = z.object({ message: z.string() })
/** With the secret, which the browser keeps, it logs in at once, and the mail's link verifies the address by itself. */
const registerAnswer = z.extend(messageAnswer, { registration_secret: z.optional(z.string()) })
export type RegisterAnswer = z.infer<typeof registerAnswer>
/** `email`: the verified address. */
const verifyEmailAnswer = z.extend(messageAnswer, { email: z.optional(z.string()) })
export type VerifyEmailAnswer = z.infer<typeof verifyEmailAnswer>

const resetPasswordAnswer = z.extend(messageAnswer, { device_token: tokenAnswer.shape.device_token })
export type ResetPasswordAnswer = z.infer<typeof resetPasswordAnswer>

export const changePasswordBody = z.strictObject({ current_password: presentedPassword, new_password: newPassword })
/** A missing body counts as empty; the server hands it on as null. */
export const emptyBody = z.nullish(z.strictObject({}))
const deletionAnswer = z.object({ deletion_scheduled_at: isoTime })

export const accountRoutes = {
  logIn: {
    method: 'POST',
    path: '/auth/login',
    identity: 'none',
    summary: 'Logs in with email address and password',
    body: loginBody,
    encoding: 'form',
    answer: tokenAnswer,
  },
  googleCallback: {
    method: 'POST',
    path: '/auth/google/callback',
    identity: 'none',
    summary: "Logs in with Google's authorization code",
    body: googleCallbackBody,
    answer: tokenAnswer,
  },
  refreshToken: {
    method: 'POST',
    path: '/auth/refresh-token',
    identity: 'none',
    summary: 'Rotates a refresh token',
    body: refreshTokenBody,
    answer: tokenAnswer,
  },
  logOut: {
    method: 'POST',
    path: '/auth/logout',
    identity: 'none',
    summary: 'Ends the session of a refresh token, whatever has become of it',
    body: refreshTokenBody,
    status: 204,
    answer: null,
  },
  register: {
    method: 'POST',
    path: '/users/register',
    identity: 'none',
    summary: 'Makes an account, and mails a link that verifies its address',
    body: registerBody,
    status: 201,
    answer: registerAnswer,
  },
  resendVerification: {
    method: 'POST',
    path: '/users/resend-verification-email',
    identity: 'none',
    summary: 'Mails another verification link, if there is an unverified account; answers alike in any case',
    body: emailBody,
    answer: messageAnswer,
  },
  verifyEmail: {
    method: 'POST',
    path: '/users/verify-email',
    identity: 'none',
    summary: 'Verifies the address of an account, for somebody who shows that they chose what opens it',
    body: verifyEmailBody,
    answer: verifyEmailAnswer,
  },
  me: {
    method: 'GET',
    path: '/users/me',
    identity: 'user',
    summary: "The caller's account",
    answer: user,
  },
  deleteMe: {
    method: 'DELETE',
    path: '/users/me',
    identity: 'user',
    summary: 'Schedules the deletion of an account that has a password; needs a fresh login where it has passkeys',
    body: z.strictObject({ password: presentedPassword }),
    answer: deletionAnswer,
  },
  deleteMeOauth: {
    method: 'POST',
    path: '/users/me/delete-oauth',
    identity: 'user',
    summary: 'Schedules the deletion of an account that has no password',
    body: emptyBody,
    answer: deletionAnswer,
  },
  acceptPolicies: {
    method: 'POST',
    path: '/users/me/accept-policies',
    identity: 'user',
    summary: 'Accepts the current versions of both policies',
    body: z.strictObject({ terms_accepted: z.literal(true), privacy_accepted: z.literal(true) }),
    answer: user,
  },
} as const satisfies Record<string, Route>

/** Another password: by the link of a mail, or with the one that holds. */
export const passwordRoutes = {
  requestPasswordReset: {
    method: 'POST',
    path: '/users/request-password-reset',
    identity: 'none',
    summary: 'Mails a link that resets the password, if there is an account; answers alike in any case',
    body: emailBody,
    answer: messageAnswer,
  },
  resetPassword: {
    method: 'POST',
    path: '/users/reset-password',
    identity: 'none',
    summary: 'Sets a new password, ends every session, and removes passkeys that a stranger may have added',
    body: resetPasswordBody,
    answer: resetPasswordAnswer,
  },
  changePassword: {
    method: 'POST',
    path: '/users/me/change-password',
    identity: 'user',
    summary:
      'Sets a new password, for somebody who knows the old one, and ends every other session; needs a fresh login where the account has passkeys',
    body: changePasswordBody,
    answer: messageAnswer,
  },
} as const satisfies Record<string, Route>
