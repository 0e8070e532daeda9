import { backoff } from './backoff'
import { coalesce } from './coalesce'
import type { EngineEnv } from './env'
import type { SyncReason } from './reason'
import { withReach } from './report'

/** A part of a sync, done one at a time. */
export interface Part {
  readonly sync: (reason: SyncReason) => Promise<void>
  /**
   * Milliseconds at which it is due next; null: not before somebody asks. A part that has failed always has a time, also
   * where its own cannot be read, of which `onFailure` is told.
   */
  readonly dueAt: (onFailure: (error: unknown) => void) => Promise<number | null>
}

/**
 * A part whose own times count while it works. One that has failed (a database that cannot be written, not an answer of
 * the server's) is due after a backoff: its own time may be now, and it would be asked for without a pause.
 */
export function watchedPart(
  env: EngineEnv,
  work: (heard: EngineEnv, reason: SyncReason) => Promise<void>,
  ownDueAt: (env: EngineEnv) => Promise<number | null>,
): Part {
  let failures = 0
  let retryAt = 0
  const fail = (): void => {
    failures += 1
    retryAt = env.now() + backoff(failures, null, env.random())
  }
  const sync = coalesce(async (reason) => {
    try {
      await withReach(env, (heard) => work(heard, reason))
      failures = 0
    } catch (error) {
      fail()
      throw error
    }
  })
  return {
    sync,
    async dueAt(onFailure) {
      try {
        if (failures === 0) return await ownDueAt(env)
      } catch (error) {
        fail()
        onFailure(error)
      }
      return retryAt
    },
  }
}
