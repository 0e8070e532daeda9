import * as z from 'zod/mini'

/** Every error code the API answers with, and its HTTP status. */
export const ERROR_STATUS = {
  TOKEN_EXPIRED: 401,
  INVALID_TOKEN: 401,
  INVALID_REFRESH_TOKEN: 401,
  UNAUTHENTICATED: 401,
  INVALID_ANONYMOUS_ID: 401,
  INVALID_CREDENTIALS: 401,
  /** A mail's link that is unknown, used or too old. */
  INVALID_LINK: 400,
  /** A webhook that the payment provider did not sign, or signed too long ago. */
  INVALID_SIGNATURE: 400,
  GOOGLE_SIGN_IN_REFUSED: 401,
  EMAIL_NOT_VERIFIED: 403,
  /** The verification link is valid, but needs the password of the account `email`. */
  PASSWORD_REQUIRED: 403,
  /** The same of an account that has no password: the link needs the passkey that made it. */
  PASSKEY_REQUIRED: 403,
  INCORRECT_PASSWORD: 403,
  FORBIDDEN: 403,
  /** The password or Google account is right, and the sign-in needs a passkey: `second_factor` begins that step. */
  SECOND_FACTOR_REQUIRED: 403,
  /** A passkey or recovery code that was not accepted. */
  SECOND_FACTOR_REFUSED: 403,
  /** The session is too old for this call: the user confirms it, and the client repeats the call. */
  FRESH_SIGN_IN_REQUIRED: 403,
  /** The account of this address is not linked with Google, and Google does not run the address's mailbox. */
  GOOGLE_NOT_LINKED: 403,
  WIDGET_LIMIT_REACHED: 403,
  CHECKPOINT_LIMIT_REACHED: 403,
  RULE_LIMIT_REACHED: 403,
  NOT_FOUND: 404,
  /** The server has no such route: no verdict on any row. */
  NO_SUCH_ROUTE: 404,
  EMAIL_ALREADY_REGISTERED: 409,
  FORBIDDEN_REORDER_MIX: 409,
  /** A subscription is paid for already. */
  ALREADY_SUBSCRIBED: 409,
  /** Nothing is paid for, so there is nothing to manage. */
  NO_SUBSCRIPTION: 409,
  GRANT_EXISTS: 409,
  NO_GRANT: 409,
  PASSKEY_LIMIT_REACHED: 409,
  CHANNEL_LIMIT_REACHED: 409,
  PASSKEY_EXISTS: 409,
  PAIR_EXISTS: 409,
  RULE_EXISTS: 409,
  PAYLOAD_TOO_LARGE: 413,
  SAME_COIN: 422,
  UNKNOWN_COIN: 422,
  VALIDATION_ERROR: 422,
  /** A new password that is one of the most common ones, or much like one. */
  COMMON_PASSWORD: 422,
  /** A webhook that cannot be found, is not https, or is inside a network. */
  WEBHOOK_ADDRESS_REFUSED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  BILLING_UNAVAILABLE: 503,
  IDENTITY_PROVIDER_UNAVAILABLE: 503,
  MARKET_DATA_UNAVAILABLE: 503,
  TELEGRAM_UNAVAILABLE: 503,
  /** No further stream at the moment: the client polls, and tries again after Retry-After. */
  STREAM_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
const ERROR_CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]

/** The body of every error. PAIR_EXISTS and RULE_EXISTS carry the widget or rule that is there, SECOND_FACTOR_REQUIRED the next step. */
export const errorBody = z.looseObject({
  detail: z.string(),
  error_code: z.enum(ERROR_CODES),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
})
export type ErrorBody = z.infer<typeof errorBody>

/** A code as a client reads it: a newer server may send codes that this build does not know. */
export type ReceivedErrorCode = ErrorCode | (string & Record<never, never>)

/** The body of every error as a client reads it. */
export const receivedErrorBody = z.extend(errorBody, { error_code: z.string().check(z.minLength(1)) })
export type ReceivedErrorBody = z.infer<typeof receivedErrorBody>
