import type { OwnerId } from '../domain/ids'

/** Why this browser polls. */
export type PollingReason =
  /** The first stream is being opened. */
  | 'connecting'
  /** A stream has ended; the next one is being opened. */
  | 'reconnecting'
  /** No tab has been visible for a while. */
  | 'hidden'
  /** The server is of an earlier version and has no stream. */
  | 'unsupported'
  /** The server answered, but no event came through in time: a proxy collects them. */
  | 'held-back'
  /** Several streams in turn could not be opened. */
  | 'failing'

/**
 * How this browser learns of news, as the tab that holds the stream last wrote it. All times in milliseconds of this
 * device's clock.
 */
export type StreamState =
  | {
      readonly kind: 'live'
      readonly owner: OwnerId
      /** The stream brings prices too; false: they come from another address, which is polled. */
      readonly prices: boolean
      readonly since: number
      /** When the server last sent something, a heartbeat included; written about every ten seconds. */
      readonly heard_at: number
    }
  | {
      readonly kind: 'polling'
      readonly reason: PollingReason
      readonly since: number
      /** When the last stream last said something; null: there was none. */
      readonly heard_at: number | null
      /** Until then the next stream is waited for, and nothing is polled; 0: polling goes on. */
      readonly polls_from: number
    }

/** Milliseconds between two writes of `heard_at`. */
export const HEARD_SPACING = 10_000
/** Milliseconds of silence, by `heard_at`, after which other contexts no longer count on the stream: two and a half heartbeats and a write. */
export const STREAM_STALE_AFTER = 60_000

/**
 * True while a stream brings this owner's news: a tab that was ended without notice leaves a record that grows old.
 * @param now a screen's clock steps every two seconds, so a record may be a little ahead of it; one far ahead was written by a
 *   clock that was wrong
 */
export const isStreamLive = (state: StreamState | undefined, owner: OwnerId, now: number): boolean =>
  state?.kind === 'live' &&
  state.owner === owner &&
  state.heard_at - now < HEARD_SPACING &&
  now - state.heard_at < STREAM_STALE_AFTER

/** Milliseconds; no stream is waited for longer, and a later time was written by a clock that was wrong. */
const LONGEST_AWAITED = 90_000

/** True while a stream brings this owner's news, or is being opened anew: nothing is polled. */
export const isStreamAwaited = (state: StreamState | undefined, owner: OwnerId, now: number): boolean =>
  state?.kind === 'polling'
    ? state.polls_from > now && state.polls_from <= now + LONGEST_AWAITED
    : isStreamLive(state, owner, now)
