import { readMeta } from '../../db/database'
import { HEARD_SPACING, isStreamLive, type PollingReason } from '../../db/stream-state'
import { MINUTE } from '../../domain/granularity'
import type { EngineEnv } from '../env'
import type { StreamTarget } from './apply-event'
import { noteHeard, notePolling } from './record'
import { runStream, type StreamEnd } from './run-stream'

/** Failures in a row after which Status says that the stream cannot be opened. */
const MAX_FAILURES = 3
/** Milliseconds that a stream lasts at least; a shorter one counts as a failure, so that cut streams are asked for ever more rarely. */
const SHORTEST_STREAM = 10_000
/** Milliseconds: the longest pause of a stream that is expected back, and the shortest of one that is not. */
const LONGEST_PAUSE = MINUTE
const HOPELESS_PAUSE = 5 * MINUTE
/** Milliseconds beyond the pause for which a stream that was open is waited for before polling goes on. */
const OPENING_TIME = 5_000

/**
 * Milliseconds until the next stream, between 1 s and 60 s. Those who lost their streams in one moment come back over 7 s:
 * a thousand of them are fewer than the 200 a second that a server process opens.
 * @param failures in a row, from 1 on
 * @param random in [0, 1)
 */
export const pauseBefore = (failures: number, random: number): number =>
  1_000 + Math.round(random * Math.min(LONGEST_PAUSE - 1_000, 7_000 * 2 ** (failures - 1)))

export interface StreamKeeper {
  /** The network or the user is back: the next stream is asked for now. */
  nudge(): void
  /** Ends the stream and the attempts; resolves once nothing of them runs any more. */
  stop(): Promise<void>
}

interface KeeperPorts {
  readonly env: EngineEnv
  readonly target: StreamTarget
  /** Polling goes on. */
  readonly onPolling: () => void
  readonly onFailure: (error: unknown) => void
}

/** Keeps a stream open for the target, and the record of it true, until it is stopped. */
export function keepStream({ env, target, onPolling, onFailure }: KeeperPorts): StreamKeeper {
  const stopping = new AbortController()
  const { signal } = stopping
  let endPause = (): void => undefined
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = env.timer(ms, resolve)
      endPause = () => {
        cancel()
        resolve()
      }
      if (signal.aborted) endPause()
    })

  /** The state between two streams. */
  let failures = 0
  let hasBeenOpen = false
  let lastId: string | null = null

  async function attempt(): Promise<number> {
    const begun = env.now()
    let noted: number | null = null
    const onHeard = async (): Promise<void> => {
      const now = env.now()
      if (noted !== null && Math.abs(now - noted) < HEARD_SPACING) return
      noted = now
      await noteHeard(env, target.owner, target.coins.length > 0)
    }
    const end = await runStream(env, target, { lastId, onHeard, onApplied: (id) => (lastId = id) }, signal)
    const lasted = env.now() - begun
    return signal.aborted ? 0 : next(end, lasted)
  }

  /** Notes how the stream has ended. @returns milliseconds until the next */
  async function next(end: StreamEnd, lasted: number): Promise<number> {
    switch (end.kind) {
      case 'stopped':
        return 0
      case 'bye':
      case 'broken': {
        hasBeenOpen = true
        // A clock that was set back makes it last less than nothing.
        failures = lasted >= SHORTEST_STREAM ? 0 : failures + 1
        const wait =
          end.kind === 'bye' ? Math.min(LONGEST_PAUSE, end.retry * env.random()) : pauseBefore(1, env.random())
        if (failures === 0) return awaitNext(wait)
        await resumePolling('reconnecting')
        return Math.max(wait, pauseBefore(failures, env.random()))
      }
      case 'failed': {
        failures += 1
        const wait = Math.max(pauseBefore(failures, env.random()), Math.min(end.retryAfter ?? 0, LONGEST_PAUSE))
        const isHeldBack = end.silent && failures >= MAX_FAILURES && (await isReached(env))
        return isHeldBack ? giveUp('held-back') : fail(wait)
      }
      case 'held-back':
      case 'unsupported':
        failures += 1
        return giveUp(end.kind)
      case 'not-served':
        failures += 1
        await resumePolling('failing')
        return LONGEST_PAUSE
    }
  }
  /** A stream that was good comes back soon: polling waits for it. */
  async function awaitNext(wait: number): Promise<number> {
    await notePolling(env, 'reconnecting', env.now() + wait + OPENING_TIME)
    return wait
  }
  async function fail(wait: number): Promise<number> {
    await resumePolling(failures >= MAX_FAILURES ? 'failing' : hasBeenOpen ? 'reconnecting' : 'connecting')
    return wait
  }
  async function giveUp(reason: PollingReason): Promise<number> {
    await resumePolling(reason)
    return HOPELESS_PAUSE * (1 + env.random())
  }
  async function resumePolling(reason: PollingReason): Promise<void> {
    await notePolling(env, reason)
    onPolling()
  }

  const run = async (): Promise<void> => {
    // A stream of this owner that another tab has just closed, or this one for other coins, is followed by the next.
    if (!isStreamLive(await readMeta(env.db, 'stream'), target.owner, env.now())) await notePolling(env, 'connecting')
    while (!signal.aborted) {
      let wait = LONGEST_PAUSE
      try {
        wait = await attempt()
      } catch (error) {
        // The local database failed: it is full, or was closed.
        onFailure(error)
        await resumePolling('failing').catch(onFailure)
      }
      if (!signal.aborted) await pause(wait)
    }
  }
  const running = run().catch(onFailure)
  return {
    nudge: () => endPause(),
    stop: () => {
      stopping.abort()
      endPause()
      return running
    },
  }
}

/** True if other requests of this browser are answered. */
const isReached = async ({ db }: EngineEnv): Promise<boolean> =>
  (await readMeta(db, 'sync_state'))?.unreachable_since === null
