import { readMeta } from '../../db/database'
import { HEARD_SPACING, isStreamLive } from '../../db/stream-state'
import type { Timer } from '../../domain/waits'
import type { EngineEnv } from '../env'
import type { StreamTarget } from './apply-event'
import { FIRST_STREAM, type KeeperEvent, type KeeperState, reduceKeeper } from './keeper-state'
import { noteHeard, notePolling } from './record'
import { runStream } from './run-stream'

/** Milliseconds beyond the pause for which a stream that was open is waited for before polling goes on. */
const OPENING_TIME = 5_000

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
  const pause = pauseOf(env.timer, signal)
  let lastId: string | null = null

  /** Null: it was stopped. */
  async function stream(): Promise<KeeperEvent | null> {
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
    const isReached = (await readMeta(env.db, 'sync_state'))?.unreachable_since === null
    if (end.kind === 'stopped' || signal.aborted) return null
    return { kind: 'ended', end, lasted, isReached, random: env.random() }
  }

  async function enter(state: KeeperState): Promise<void> {
    if (state.kind === 'streaming') return
    await notePolling(env, state.reason, state.isAwaited ? env.now() + state.wait + OPENING_TIME : 0)
    if (!state.isAwaited) onPolling()
  }

  const run = async (): Promise<void> => {
    // A stream of this owner that another tab has just closed, or this one for other coins, is followed by the next.
    if (!isStreamLive(await readMeta(env.db, 'stream'), target.owner, env.now())) await notePolling(env, 'connecting')
    let state = FIRST_STREAM
    while (!signal.aborted) {
      try {
        const event = await stream()
        if (event === null) return
        state = reduceKeeper(state, event)
        await enter(state)
      } catch (error) {
        onFailure(error)
        state = reduceKeeper(state, { kind: 'database-failed' })
        await enter(state).catch(onFailure)
      }
      if (state.kind === 'pausing' && !signal.aborted) await pause.begin(state.wait)
      state = reduceKeeper(state, { kind: 'pause-over' })
    }
  }
  const running = run().catch(onFailure)
  return {
    nudge: () => pause.end(),
    stop: () => {
      stopping.abort()
      pause.end()
      return running
    },
  }
}

/** A pause that can be ended before its time. */
function pauseOf(timer: Timer, signal: AbortSignal) {
  let end = (): void => undefined
  return {
    begin: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const cancel = timer(ms, resolve)
        end = () => {
          cancel()
          resolve()
        }
        if (signal.aborted) end()
      }),
    end: () => end(),
  }
}
