import type { AccountRequest, AccountResult } from '../db/account-request'
import type { Question, Reply } from '../db/question'
import { COIN_ID_PATTERN, type CoinId } from '../domain/ids'
import { isPeriod, type Period } from '../domain/period'
import { isSyncReason, type SyncReason } from './reason'

/** What a page asks of whoever runs the engine; each message brings a port for its replies. */
export type EngineRequest =
  | { readonly type: 'sync'; readonly reason: SyncReason }
  | { readonly type: 'history'; readonly coin: CoinId; readonly period: Period }
  /** Not begun before the page says `GO`: one that has given up on the host meanwhile asks another one. */
  | { readonly type: 'account'; readonly request: AccountRequest }
  /** Begun like the one before. */
  | { readonly type: 'question'; readonly question: Question }

export type EngineReply =
  /** Comes at once, and again and again while the work goes on; a host that does not say it is not there. */
  | { readonly type: 'accepted' }
  /** Milliseconds at which something is due next; null: nothing. */
  | { readonly type: 'synced'; readonly nextDueAt: number | null }
  | { readonly type: 'fetched' }
  | { readonly type: 'answered'; readonly result: AccountResult }
  | { readonly type: 'replied'; readonly value: Reply }
  | {
      readonly type: 'failed'
      readonly name: string
      readonly message: string
      /** Milliseconds: of a sync, when something is due all the same; absent from earlier versions. */
      readonly nextDueAt?: number
    }

/** What a page answers to `accepted`: it still waits, and asks nobody else. */
export const GO = { type: 'go' } as const
export const isGo = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === GO.type

/** The Background Sync tag under which waiting changes are sent, and the periodic one that refreshes prices. */
export const OUTBOX_TAG = 'outbox'
export const REFRESH_TAG = 'refresh'

const ACCOUNT_REQUESTS: Readonly<Record<AccountRequest['kind'], true>> = {
  'log-in': true,
  google: true,
  'second-factor': true,
  register: true,
  'verify-email': true,
  'resend-verification': true,
  'request-reset': true,
  'reset-password': true,
  'change-password': true,
  'accept-policies': true,
  'delete-account': true,
  'delete-guest-data': true,
  feedback: true,
  'reload-account': true,
  'load-policies': true,
  'subscribe-push': true,
  'unsubscribe-push': true,
}

const QUESTIONS: Readonly<Record<Question['kind'], true>> = {
  'open-checkout': true,
  'open-portal': true,
  'my-data': true,
  'admin-users': true,
  'admin-user': true,
  'admin-subscriptions': true,
  'grant-premium': true,
  'revoke-premium': true,
  'audit-log': true,
  overview: true,
  'ready-pairs': true,
  devices: true,
  'end-session': true,
  'end-other-sessions': true,
  passkeys: true,
  'begin-passkey': true,
  'add-passkey': true,
  'remove-passkey': true,
  'renew-recovery-codes': true,
  'begin-confirmation': true,
  confirm: true,
  'unlink-google': true,
}

const isOneOf = <T extends { readonly kind: string }>(
  kinds: Readonly<Record<T['kind'], true>>,
  value: unknown,
): value is T =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  typeof value.kind === 'string' &&
  Object.hasOwn(kinds, value.kind)

/** Null for messages that are not for the engine, such as those of another version of the app. */
export function readRequest(data: unknown): EngineRequest | null {
  if (typeof data !== 'object' || data === null || !('type' in data)) return null
  switch (data.type) {
    case 'sync':
      return 'reason' in data && isSyncReason(data.reason) ? { type: 'sync', reason: data.reason } : null
    case 'history': {
      const { coin, period } = data as { readonly coin?: unknown; readonly period?: unknown }
      return typeof coin === 'string' && COIN_ID_PATTERN.test(coin) && typeof period === 'string' && isPeriod(period)
        ? { type: 'history', coin: coin as CoinId, period }
        : null
    }
    case 'account':
      return 'request' in data && isOneOf<AccountRequest>(ACCOUNT_REQUESTS, data.request)
        ? { type: 'account', request: data.request }
        : null
    case 'question':
      return 'question' in data && isOneOf<Question>(QUESTIONS, data.question)
        ? { type: 'question', question: data.question }
        : null
    default:
      return null
  }
}
