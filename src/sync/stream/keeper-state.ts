import type { PollingReason } from '../../db/stream-state'
import { MINUTE } from '../../domain/granularity'
import type { StreamEnd } from './run-stream'

/*
 * Streams for one target, one after another.
 *
 *   streaming ──the stream ended, or the local database failed──> pausing ──its time is over, or the user is back──> streaming
 */

/** Failures in a row after which Status says that the stream cannot be opened. */
const MAX_FAILURES = 3
/** Milliseconds that a stream lasts at least; a shorter one counts as a failure, so that cut streams are asked for ever more rarely. */
const SHORTEST_STREAM = 10_000
/** Milliseconds: the longest pause of a stream that is expected back, and the shortest of one that is not. */
const LONGEST_PAUSE = MINUTE
const HOPELESS_PAUSE = 5 * MINUTE

interface Past {
  /** Streams in a row that did not open, or ended too soon. */
  readonly failures: number
  readonly hasBeenOpen: boolean
}

export type KeeperState =
  /** A stream is being opened, or is open. */
  | (Past & { readonly kind: 'streaming' })
  | (Past & {
      readonly kind: 'pausing'
      /** Milliseconds until the next stream. */
      readonly wait: number
      readonly reason: PollingReason
      /** The stream was a good one and comes back soon: polling waits for it. */
      readonly isAwaited: boolean
    })

export type KeeperEvent =
  | {
      readonly kind: 'ended'
      readonly end: Exclude<StreamEnd, { kind: 'stopped' }>
      /** Milliseconds from its request on. */
      readonly lasted: number
      /** Other requests of this browser are answered. */
      readonly isReached: boolean
      /** In [0, 1). */
      readonly random: number
    }
  /** It is full, or was closed. */
  | { readonly kind: 'database-failed' }
  | { readonly kind: 'pause-over' }

export const FIRST_STREAM: KeeperState = { kind: 'streaming', failures: 0, hasBeenOpen: false }

/**
 * Milliseconds until the next stream, between 1 s and 60 s. Those who lost their streams in one moment come back over 7 s:
 * a thousand of them are fewer than the 200 a second that a server process opens.
 * @param failures in a row, from 1 on
 * @param random in [0, 1)
 */
const pauseBefore = (failures: number, random: number): number =>
  1_000 + Math.round(random * Math.min(LONGEST_PAUSE - 1_000, 7_000 * 2 ** (failures - 1)))

const pausing = (
  { failures, hasBeenOpen }: Past,
  reason: PollingReason,
  wait: number,
  isAwaited = false,
): KeeperState => ({
  kind: 'pausing',
  failures,
  hasBeenOpen,
  wait,
  reason,
  isAwaited,
})

export function reduceKeeper({ failures, hasBeenOpen }: KeeperState, event: KeeperEvent): KeeperState {
  switch (event.kind) {
    case 'pause-over':
      return { kind: 'streaming', failures, hasBeenOpen }
    case 'database-failed':
      return pausing({ failures, hasBeenOpen }, 'failing', LONGEST_PAUSE)
    case 'ended':
      return ended({ failures, hasBeenOpen }, event)
  }
}

function ended(past: Past, { end, lasted, isReached, random }: Extract<KeeperEvent, { kind: 'ended' }>): KeeperState {
  const failed = { ...past, failures: past.failures + 1 }
  const hopeless = HOPELESS_PAUSE * (1 + random)
  switch (end.kind) {
    case 'bye':
    case 'broken': {
      const wait = end.kind === 'bye' ? Math.min(LONGEST_PAUSE, end.retry * random) : pauseBefore(1, random)
      // A clock that was set back makes it last less than nothing.
      if (lasted >= SHORTEST_STREAM) return pausing({ failures: 0, hasBeenOpen: true }, 'reconnecting', wait, true)
      const longer = Math.max(wait, pauseBefore(failed.failures, random))
      return pausing({ ...failed, hasBeenOpen: true }, 'reconnecting', longer)
    }
    case 'failed': {
      const isFailing = failed.failures >= MAX_FAILURES
      if (end.silent && isFailing && isReached) return pausing(failed, 'held-back', hopeless)
      const wait = Math.max(pauseBefore(failed.failures, random), Math.min(end.retryAfter ?? 0, LONGEST_PAUSE))
      return pausing(failed, isFailing ? 'failing' : past.hasBeenOpen ? 'reconnecting' : 'connecting', wait)
    }
    case 'held-back':
    case 'unsupported':
      return pausing(failed, end.kind, hopeless)
    case 'not-served':
      return pausing(failed, 'failing', LONGEST_PAUSE)
  }
}
