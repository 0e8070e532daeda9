import type { CallInput, CallResult, CallRoute } from '../db/call'
import { messageOf, toError } from '../domain/error-message'
import type { WidgetId } from '../domain/ids'
import type { SyncReason } from '../domain/sync-reason'

/** A sync of which a part failed. The other parts have ended, and the failed one has a time for its next try. */
export class SyncFailed extends Error {
  /** Milliseconds at which something is due next. */
  readonly nextDueAt: number

  constructor(cause: unknown, nextDueAt: number) {
    super(messageOf(cause), { cause })
    this.name = cause instanceof Error ? cause.name : 'Error'
    this.nextDueAt = nextDueAt
  }
}

/**
 * A page's request to the service worker or the web worker; each message brings a port for its replies. Earlier versions
 * wrote `type` for `kind`: page and service worker of different versions do not understand each other, and the web worker
 * does the work.
 */
export type EngineRequest =
  | { readonly kind: 'sync'; readonly reason: SyncReason }
  /** Begins only after the page's `PROCEED`: a page that has given up on the service worker asks the web worker. Decision 0088. */
  | { readonly kind: 'call'; readonly route: CallRoute; readonly input: CallInput<CallRoute> }

export type EngineReply =
  /** Sent at once and repeatedly during the work; the page takes a worker that does not send it for stopped. */
  | { readonly kind: 'accepted' }
  /** Milliseconds at which something is due next; null: nothing. */
  | { readonly kind: 'synced'; readonly nextDueAt: number | null }
  | { readonly kind: 'called'; readonly result: CallResult }
  | (SentError & { readonly kind: 'failed' })

/** An error as a message carries it: a clone of an Error loses the name. */
interface SentError {
  readonly name: string
  readonly message: string
  /** Milliseconds at which something is due all the same after a sync; absent for a call. */
  readonly nextDueAt?: number
}

export function sentError(reason: unknown): SentError {
  const { name, message } = toError(reason)
  return { name, message, ...(reason instanceof SyncFailed && { nextDueAt: reason.nextDueAt }) }
}

export function failure({ name, message, nextDueAt }: SentError): Error {
  const error = Object.assign(new Error(message), { name })
  return nextDueAt === undefined ? error : new SyncFailed(error, nextDueAt)
}

/** A page's request to its web worker: to keep the stream. The port carries signs both ways. */
export const STREAM_REQUEST = { kind: 'stream' } as const

/** All that only the page knows: whether this tab is visible, and that the network is back. */
export type PageSign = 'visible' | 'hidden' | 'online'

export type StreamSign =
  /** There is no stream: polling goes on. */
  | { readonly kind: 'polling' }
  /** The local database failed; the stream is tried again. */
  | (SentError & { readonly kind: 'problem' })
  /** The code of the stream could not be loaded. */
  | (SentError & { readonly kind: 'failed' })

/** A page's answer to `accepted`: it still waits, and asks no other engine. */
export const PROCEED = { kind: 'proceed' } as const

/** Tags of Background Sync, which sends the outbox, and of Periodic Background Sync, which refreshes prices. */
export const OUTBOX_TAG = 'outbox'
export const REFRESH_TAG = 'refresh'

/** The `kind` of a message between page and service worker; undefined for a message of another version or of Workbox. */
export const kindOf = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'kind' in data ? data.kind : undefined

/**
 * The service worker's request to a page after a click on a notification: show the pair's chart. The page replies `SHOWN`
 * on the request's port; without a reply the worker loads the chart's address.
 */
export interface PageRequest {
  readonly kind: 'open-chart'
  readonly widget: WidgetId
}

export const SHOWN = { kind: 'shown' } as const

/** Null for another message, such as one of another version of the app. */
export function readPageRequest(data: unknown): PageRequest | null {
  const { widget } = (data ?? {}) as { readonly widget?: unknown }
  return kindOf(data) === 'open-chart' && typeof widget === 'string'
    ? { kind: 'open-chart', widget: widget as WidgetId }
    : null
}
