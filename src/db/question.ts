import type { AdminProfile, AdminUser, AuditEntry, Overview } from '../contract/admin'
import type { CheckoutAnswer, PortalAnswer, Subscription } from '../contract/billing'
import type { MyData } from '../contract/my-data'
import type { Device } from '../contract/device'
import type { AddPasskeyAnswer, Attestation, ConfirmBody, PasskeyChallenge, PasskeysAnswer } from '../contract/passkeys' // prettier-ignore
import type { ReadyPairAnswer } from '../contract/ready-pairs'
import type { User } from '../contract/session'
import type { AskFailure } from './account-request'

/**
 * What a person asks of the server and nobody stores: addresses of payment pages are good for once, and what belongs to
 * others stays out of the local database. It is asked at once, as whoever uses this browser.
 */
export type Question =
  | { readonly kind: 'open-checkout' }
  | { readonly kind: 'open-portal' }
  /** Everything that the server has of whoever uses this browser. */
  | { readonly kind: 'my-data' }
  /** `search` is empty where everybody is wanted. */
  | { readonly kind: 'admin-users'; readonly search: string; readonly skip: number }
  | { readonly kind: 'admin-user'; readonly user: string }
  | { readonly kind: 'admin-subscriptions'; readonly user: string }
  | { readonly kind: 'grant-premium'; readonly user: string; readonly days: number }
  | { readonly kind: 'revoke-premium'; readonly user: string }
  /** `user` is null where the actions about everybody are wanted. */
  | { readonly kind: 'audit-log'; readonly user: string | null; readonly skip: number }
  | { readonly kind: 'overview' }
  /** Ratios and places of the pairs that are offered to somebody who has none. */
  | { readonly kind: 'ready-pairs' }
  /** The browsers in which the account is signed in. */
  | { readonly kind: 'devices' }
  | { readonly kind: 'end-session'; readonly id: string }
  | { readonly kind: 'end-other-sessions' }
  | { readonly kind: 'passkeys' }
  | { readonly kind: 'begin-passkey' }
  | { readonly kind: 'add-passkey'; readonly ticket: string; readonly name: string; readonly attestation: Attestation }
  | { readonly kind: 'remove-passkey'; readonly passkey: string }
  | { readonly kind: 'renew-recovery-codes' }
  | { readonly kind: 'begin-confirmation' }
  | { readonly kind: 'confirm'; readonly proof: ConfirmBody }
  | { readonly kind: 'unlink-google' }

export type QuestionKind = Question['kind']
export type QuestionOf<K extends QuestionKind> = Extract<Question, { readonly kind: K }>

/** Some of many. */
export interface Page<T> {
  readonly rows: readonly T[]
  /** How many there are in all. */
  readonly total: number
}

export interface Answers {
  readonly 'open-checkout': CheckoutAnswer
  readonly 'open-portal': PortalAnswer
  readonly 'my-data': MyData
  readonly 'admin-users': Page<AdminUser>
  readonly 'admin-user': AdminProfile
  readonly 'admin-subscriptions': readonly Subscription[]
  readonly 'grant-premium': Subscription
  readonly 'revoke-premium': Subscription
  readonly 'audit-log': Page<AuditEntry>
  readonly overview: Overview
  readonly 'ready-pairs': readonly ReadyPairAnswer[]
  readonly devices: readonly Device[]
  readonly 'end-session': null
  readonly 'end-other-sessions': null
  readonly passkeys: PasskeysAnswer
  readonly 'begin-passkey': PasskeyChallenge
  readonly 'add-passkey': AddPasskeyAnswer
  readonly 'remove-passkey': null
  readonly 'renew-recovery-codes': { readonly recovery_codes: readonly string[] }
  readonly 'begin-confirmation': PasskeyChallenge
  readonly confirm: { readonly fresh_until: string }
  readonly 'unlink-google': User
}

/** What came of a question. */
export type Reply<K extends QuestionKind = QuestionKind> =
  { readonly ok: true; readonly value: Answers[K] } | AskFailure
