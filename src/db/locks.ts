/** Mutual exclusion over all tabs, the service worker and web workers; `navigator.locks` is one. */
export interface Locks {
  /** @param signal ends the wait for the lock, by a rejection; a lock that is held already stays held */
  request<T>(name: string, body: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

const ownLocks = createLocks()

/**
 * Web Locks, which hold across tabs; they exist in secure contexts only. Over plain http each tab has locks of its
 * own: two tabs may then send the same entry, which its idempotency key and its lease make harmless.
 */
export function browserLocks(): Locks {
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: LockManager } }
  const locks = navigator?.locks
  return locks === undefined
    ? ownLocks
    : { request: (name, body, signal) => locks.request(name, signal === undefined ? {} : { signal }, body) }
}

function createLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>()
  return {
    request(name, body, signal) {
      const begin = () => {
        signal?.throwIfAborted()
        return body()
      }
      const turn = (tails.get(name) ?? Promise.resolve()).then(begin, begin)
      tails.set(name, turn)
      return turn
    },
  }
}
