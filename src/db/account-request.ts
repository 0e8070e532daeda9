import type { ReceivedErrorCode } from '../contract/errors'
import type { Assertion, PasskeyChallenge } from '../contract/passkeys'
import type { PushSubscriptionBody } from '../contract/push'
import type { OwnerId } from '../domain/ids'

/**
 * What a person asks of the server about an account. It is asked at once, never queued; a password goes no further than
 * the request that carries it.
 */
export type AccountRequest =
  | { readonly kind: 'log-in'; readonly email: string; readonly password: string }
  /** The second step of a sign-in that needs a passkey. */
  | { readonly kind: 'second-factor'; readonly ticket: string; readonly proof: SecondFactorProof }
  /** Back from the provider; `state` names the sign-in that this browser began. */
  | { readonly kind: 'google'; readonly code: string; readonly state: string; readonly iss: string | null }
  | { readonly kind: 'register'; readonly email: string; readonly password: string }
  /** The link of a mail; where this browser did not register the address, the server takes it with the password alone. */
  | { readonly kind: 'verify-email'; readonly token: string; readonly password?: string }
  | { readonly kind: 'resend-verification'; readonly email: string }
  | { readonly kind: 'request-reset'; readonly email: string }
  | { readonly kind: 'reset-password'; readonly token: string; readonly password: string }
  /** `owner` is the user whom the page shows: another tab may have changed who is signed in. */
  | { readonly kind: 'change-password'; readonly owner: OwnerId; readonly current: string; readonly password: string }
  /** The versions that were shown: nothing else is accepted. */
  | { readonly kind: 'accept-policies'; readonly terms: string; readonly privacy: string }
  /**
   * `owner` is the user whom the page shows: another tab may have changed who is signed in. `password` is null where the
   * account has none. The session ends with it.
   */
  | { readonly kind: 'delete-account'; readonly owner: OwnerId; readonly password: string | null }
  /** `owner` is the guest whom the page shows. Everything of theirs goes, at the server and here. */
  | { readonly kind: 'delete-guest-data'; readonly owner: OwnerId }
  | { readonly kind: 'feedback'; readonly message: string }
  /** Whatever has changed about the account, now; otherwise that is looked for every minute. */
  | { readonly kind: 'reload-account' }
  /** Versions and texts of the policies in force, where they are not stored yet. Serves guests as well. */
  | { readonly kind: 'load-policies' }
  /**
   * Alerts of whoever uses this browser are to reach it. The wish is kept: where nothing answers (`status` 0), the server
   * is told with a later sync.
   */
  | { readonly kind: 'subscribe-push'; readonly subscription: PushSubscriptionBody }
  /** Nothing is to reach this browser any more. `endpoint` is the one that was given up here; null: there was none. */
  | { readonly kind: 'unsubscribe-push'; readonly endpoint: string | null }

/** A passkey's signature, or one of the codes that stand in for lost passkeys. */
export type SecondFactorProof = { readonly assertion: Assertion } | { readonly recovery_code: string }

/** Why nothing came of it; a refusal and a missing network alike arrive here, and nothing is thrown for them. */
export interface AskFailure {
  readonly ok: false
  /** HTTP status; 0: nothing answered. */
  readonly status: number
  readonly error_code: ReceivedErrorCode | null
  readonly message: string
  /** Of the account that a link is for, with PASSWORD_REQUIRED. */
  readonly email?: string
  /** With SECOND_FACTOR_REQUIRED: the challenge for the account's passkeys. */
  readonly second_factor?: PasskeyChallenge
  /** Of a way to Google that was no sign-in: where it began. */
  readonly back_to?: string
}

/** What came of it. `message` is the server's, for people. */
export type AccountResult =
  | {
      readonly ok: true
      readonly message: string | null
      /** Of a way to Google that was no sign-in: where it began. */
      readonly back_to?: string
    }
  | AskFailure
