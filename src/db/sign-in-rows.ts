import type { OwnerId } from '../domain/ids'

/** Values that the client must show again when the provider sends the user back. */
export interface SignIn {
  /** PKCE's secret (RFC 7636). */
  readonly verifier: string
  /** Comes back inside the ID token. */
  readonly nonce: string
  readonly redirect_uri: string
  /** Milliseconds. */
  readonly begun_at: number
  /** Absent: a sign-in. Otherwise a signed-in user confirms who they are, or links their account. */
  readonly errand?: GoogleErrand
  /** Of a sign-in that makes an account, where there is none yet. */
  readonly account?: NewAccount
}

/** Why a signed-in user goes to Google. */
export interface GoogleErrand {
  readonly kind: 'confirm' | 'link'
  readonly owner: OwnerId
  /** The path that the user comes back to. */
  readonly back_to: string
}

/** Decisions of somebody who makes an account, which are not asked for again. */
export interface NewAccount {
  /** The versions of the policies that were shown; null: none were, and the user is asked after the sign-in. */
  readonly accepted: { readonly terms: string; readonly privacy: string } | null
  /** This browser's guest's pairs come along. */
  readonly brings: boolean
}
