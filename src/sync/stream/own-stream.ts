import { liveQuery } from 'dexie'
import { isServed } from '../../db/account'
import { readOwnerSyncState } from '../../db/owner-sync-state'
import { type LocalDatabase, readMeta } from '../../db/database'
import { MINUTE } from '../../domain/granularity'
import type { EngineEnv } from '../env'
import { arePricesOurs } from '../../db/price-origin'
import { watchedCoins } from '../prices'
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

/*
 * The tab on its way to the browser's one stream, which is of the tab that holds the lock `stream`.
 *
 *   away ──seen──> waiting ──granted──> holding ──hidden for a minute──> leaving ──free──> away
 *                     └─────────────hidden──────────────────────────────────^  └──seen meanwhile, free──> waiting
 */
type TabState =
  | { readonly kind: 'away' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'holding'; readonly isVisible: boolean }
  /** The lock is not asked for any more, or about to be free. */
  | { readonly kind: 'leaving'; readonly isVisible: boolean }

type TabEvent = Exclude<PageSign, 'online'> | 'granted' | 'hidden-long' | 'free'

function reduceTab(tab: TabState, event: TabEvent): TabState {
  switch (tab.kind) {
    case 'away':
      return event === 'visible' ? { kind: 'waiting' } : tab
    case 'waiting':
      if (event === 'granted') return { kind: 'holding', isVisible: true }
      if (event === 'hidden') return { kind: 'leaving', isVisible: false }
      // The browser has refused the lock.
      return event === 'free' ? { kind: 'waiting' } : tab
    case 'holding':
      if (event === 'hidden-long') return { kind: 'leaving', isVisible: false }
      return event === 'visible' || event === 'hidden' ? { kind: 'holding', isVisible: event === 'visible' } : tab
    case 'leaving':
      if (event === 'free') return { kind: tab.isVisible ? 'waiting' : 'away' }
      return event === 'visible' || event === 'hidden' ? { kind: 'leaving', isVisible: event === 'visible' } : tab
  }
}

/**
 * One stream a browser: the visible tab that gets the lock keeps it, and the others read in the local database that it is
 * there. Returns the function that tells of the tab's signs; no stream is opened before the first.
 */
export function ownStream({ env, onPolling, onFailure }: StreamOwnerPorts): (sign: PageSign) => void {
  let tab: TabState = { kind: 'away' }
  let target: StreamTarget | null = null
  let keeper: StreamKeeper | null = null
  /** Ends what the present state waits for, or gives back what it holds. */
  let leave = (): void => undefined
  let cancelHiding = (): void => undefined
  // One after another, so that two streams never write the record at once.
  let turn = Promise.resolve()
  const next = (step: () => Promise<void>): Promise<void> => (turn = turn.then(step).catch(onFailure))

  const renew = (): Promise<void> =>
    next(async () => {
      await keeper?.stop()
      keeper = null
      if (tab.kind !== 'holding') return
      if (target === null) return notePolling(env, 'connecting')
      keeper = keepStream({ env, target, onPolling, onFailure })
    })

  const dispatch = (event: TabEvent): void => {
    const before = tab
    tab = reduceTab(before, event)
    if (tab !== before) enter(tab, before)
  }
  const enter = (now: TabState, before: TabState): void => {
    cancelHiding()
    switch (now.kind) {
      case 'away':
        return
      case 'waiting':
        leave = requestLock(env, onFailure, {
          onGranted: () => dispatch('granted'),
          // The record says so before the next tab gets the lock.
          ending: () => renew().then(() => next(() => notePolling(env, 'hidden'))),
          onFree: () => dispatch('free'),
        })
        return
      case 'holding':
        if (before.kind !== 'holding') void renew()
        else if (now.isVisible) keeper?.nudge()
        if (!now.isVisible) cancelHiding = env.timer(HIDDEN_FOR, () => dispatch('hidden-long'))
        return
      case 'leaving':
        if (before.kind !== 'leaving') leave()
    }
  }

  followTarget(env, onFailure, (found) => {
    target = found
    void renew()
  })
  return (sign) => {
    if (sign === 'online') void renew()
    else dispatch(sign)
  }
}

interface LockPorts {
  readonly onGranted: () => void
  /** Runs before the lock is given back. */
  readonly ending: () => Promise<void>
  /** The lock has been given back, or is not waited for any more. */
  readonly onFree: () => void
}

/** Waits for the lock. Returns the function that ends the wait, or gives the lock back. */
function requestLock(
  { locks }: EngineEnv,
  onFailure: (error: unknown) => void,
  { onGranted, ending, onFree }: LockPorts,
): () => void {
  const waiting = new AbortController()
  let leave = (): void => waiting.abort()
  const hold = () =>
    new Promise<void>((resolve) => {
      // Given to a tab that has been hidden meanwhile.
      if (waiting.signal.aborted) return resolve()
      leave = () => void ending().then(resolve)
      onGranted()
    })
  locks
    .request('stream', hold, waiting.signal)
    .catch((error: unknown) => {
      if (!waiting.signal.aborted) onFailure(error)
    })
    .finally(onFree)
  return () => leave()
}

/** Calls back with each other target: with another owner's at once, with other coins once no further change follows. */
function followTarget(
  { db, origin, timer }: EngineEnv,
  onFailure: (error: unknown) => void,
  onChange: (target: StreamTarget | null) => void,
): void {
  let target: StreamTarget | null = null
  let cancelChange = (): void => undefined
  liveQuery(() => readTarget(db, origin)).subscribe({
    next: (found) => {
      // The change that waits may have been taken back.
      cancelChange()
      if (JSON.stringify(found) === JSON.stringify(target)) return
      const isOther = found?.owner !== target?.owner
      const change = () => {
        target = found
        onChange(found)
      }
      if (isOther) change()
      else cancelChange = timer(TARGET_DELAY, change)
    },
    error: onFailure,
  })
}
