import type { CallInput, CallResult, CallRoute } from '../db/call'
import { messageOf } from '../domain/error-message'
import type { WidgetId } from '../domain/ids'
import type { SyncReason } from '../domain/sync-reason'

/** A sync of which a part failed. The other parts go on, and the failed one is tried again: that is due, too. */
export class SyncFailed extends Error {
  /** Milliseconds at which something is due next. */
  readonly nextDueAt: number
  /** The part's own error. */
  override readonly cause: unknown

  constructor(cause: unknown, nextDueAt: number) {
    super(messageOf(cause))
    this.name = cause instanceof Error ? cause.name : 'Error'
    this.cause = cause
    this.nextDueAt = nextDueAt
  }
}

/**
 * A page's request to the service worker; each message brings a port for its replies. Earlier versions wrote `type` for
 * `kind`: page and worker of different versions do not understand each other, and the page's own engine does the work.
 */
export type EngineRequest =
  | { readonly kind: 'sync'; readonly reason: SyncReason }
  /** Begins only after the page's `PROCEED`: a page that has given up on the worker asks its own engine. Decision 0088. */
  | { readonly kind: 'call'; readonly route: CallRoute; readonly input: CallInput<CallRoute> }

export type EngineReply =
  /** Comes at once, and again and again while the work goes on; a worker that does not send it is not there. */
  | { readonly kind: 'accepted' }
  /** Milliseconds at which something is due next; null: nothing. */
  | { readonly kind: 'synced'; readonly nextDueAt: number | null }
  | { readonly kind: 'called'; readonly result: CallResult }
  | {
      readonly kind: 'failed'
      readonly name: string
      readonly message: string
      /** Milliseconds: of a sync, when something is due all the same; absent for a call. */
      readonly nextDueAt?: number
    }

/** A page's answer to `accepted`: it still waits, and asks no other engine. */
export const PROCEED = { kind: 'proceed' } as const

/** The Background Sync tag under which waiting changes are sent, and the periodic one that refreshes prices. */
export const OUTBOX_TAG = 'outbox'
export const REFRESH_TAG = 'refresh'

/** The `kind` of a message between page and service worker; undefined for a message of another version or of Workbox. */
export const kindOf = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'kind' in data ? data.kind : undefined

/**
 * The service worker's request to a page after a click on a notification: show the pair's chart. The page replies `SHOWN`
 * on the port that comes with it; the worker loads the chart's address where no reply comes.
 */
export interface PageRequest {
  readonly kind: 'open-chart'
  readonly widget: WidgetId
}

export const SHOWN = { kind: 'shown' } as const

/** Null for a message that is not for the page, such as one of another version of the app. */
export function readPageRequest(data: unknown): PageRequest | null {
  const { widget } = (data ?? {}) as { readonly widget?: unknown }
  return kindOf(data) === 'open-chart' && typeof widget === 'string'
    ? { kind: 'open-chart', widget: widget as WidgetId }
    : null
}
