import type { LocalDatabase } from '../db/database'
import type { EngineEnv, Locks } from './env'

/** The engine's surroundings in a page or a service worker. */
export function browserEnv(db: LocalDatabase, origin: string): EngineEnv {
  return {
    db,
    origin,
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    random: () => Math.random(),
    token: () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join(''),
    locks: browserLocks(),
    timer(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  }
}

/**
 * Web Locks, which hold across tabs; they exist in secure contexts only. Over plain http each tab has locks of its
 * own: two tabs may then send the same entry, which its idempotency key and its lease make harmless.
 */
function browserLocks(): Locks {
  const { locks } = navigator as { readonly locks?: LockManager }
  return locks === undefined ? createLocks() : { request: (name, body) => locks.request(name, body) }
}

function createLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>()
  return {
    request(name, body) {
      const turn = (tails.get(name) ?? Promise.resolve()).then(body, body)
      tails.set(name, turn)
      return turn
    },
  }
}
