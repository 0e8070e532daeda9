import { liveQuery } from 'dexie'
import { isServed } from '../../db/account'
import { readOwnerSyncState } from '../../db/owner-sync-state'
import { type LocalDatabase, readMeta } from '../../db/database'
import { MINUTE } from '../../domain/granularity'
import type { EngineEnv } from '../env'
import { arePricesOurs, watchedCoins } from '../prices'
import type { PageSign } from '../protocol'
import type { StreamTarget } from './apply-event'
import { keepStream, type StreamKeeper } from './keep-stream'
import { notePolling } from './record'

/** Milliseconds that a hidden tab goes on with the stream: a short look elsewhere costs no new one. */
const HIDDEN_FOR = MINUTE
/** Milliseconds for which further changes of the watched coins are waited for. */
const TARGET_DELAY = 300

interface StreamOwnerPorts {
  readonly env: EngineEnv
  readonly onPolling: () => void
  readonly onFailure: (error: unknown) => void
}

/** For whom and for which coins a stream is to be open; null: none can be. */
async function readTarget(db: LocalDatabase, origin: string): Promise<StreamTarget | null> {
  const [session, config] = await Promise.all([db.session.get('current'), readMeta(db, 'config')])
  // The settings say where prices come from.
  if (session === undefined || config === undefined) return null
  const { owner } = session
  if (!isServed(session, await readOwnerSyncState(db, owner))) return null
  return { owner, coins: arePricesOurs(config.config, origin) ? await watchedCoins(db) : [] }
}

/**
 * One stream a browser: the visible tab that gets the lock `stream` keeps it, and the others read in the local database
 * that it is there. A tab that is hidden for a minute lets go. Returns the function that tells of the tab's signs; no
 * stream is opened before the first.
 */
export function ownStream({ env, onPolling, onFailure }: StreamOwnerPorts): (sign: PageSign) => void {
  let isVisible = false
  let target: StreamTarget | null = null
  let keeper: StreamKeeper | null = null
  /** Ends the wait for the lock, or lets go of it; null: neither waiting nor holding. */
  let letGo: (() => void) | null = null
  let holds = false
  let hiding: (() => void) | null = null
  // One after another, so that two streams never write the record at once.
  let turn = Promise.resolve()

  const renew = (): void => {
    turn = turn
      .then(async () => {
        await keeper?.stop()
        keeper = null
        if (!holds) return
        if (target === null) return notePolling(env, 'connecting')
        keeper = keepStream({ env, target, onPolling, onFailure })
      })
      .catch(onFailure)
  }

  const take = (): void => {
    if (letGo !== null) return
    const waiting = new AbortController()
    const hold = () =>
      new Promise<void>((resolve) => {
        // Given to a tab that has been hidden meanwhile.
        if (waiting.signal.aborted) return resolve()
        holds = true
        letGo = () => {
          holds = false
          renew()
          // The record says so before the next tab gets the lock.
          turn = turn.then(() => notePolling(env, 'hidden')).catch(onFailure)
          void turn.then(resolve)
        }
        renew()
      })
    letGo = () => waiting.abort()
    env.locks
      .request('stream', hold, waiting.signal)
      .catch((error: unknown) => {
        if (!waiting.signal.aborted) onFailure(error)
      })
      .finally(() => {
        letGo = null
        // Seen again before the lock was free.
        if (isVisible) take()
      })
  }

  const follow = (): void => {
    hiding?.()
    hiding = null
    if (isVisible) {
      keeper?.nudge()
      return take()
    }
    if (!holds) return letGo?.()
    hiding = env.timer(HIDDEN_FOR, () => letGo?.())
  }

  let cancelChange = (): void => undefined
  liveQuery(() => readTarget(env.db, env.origin)).subscribe({
    next: (found) => {
      // The change that waits may have been taken back.
      cancelChange()
      if (JSON.stringify(found) === JSON.stringify(target)) return
      const isOther = found?.owner !== target?.owner
      const change = () => {
        target = found
        renew()
      }
      if (isOther) change()
      else cancelChange = env.timer(TARGET_DELAY, change)
    },
    error: onFailure,
  })
  return (sign) => {
    if (sign === 'online') return renew()
    isVisible = sign === 'visible'
    follow()
  }
}
