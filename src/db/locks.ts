/** Mutual exclusion over all tabs, the service worker and web workers; `navigator.locks` is one. */
export interface Locks {
  request<T>(name: string, body: () => Promise<T>): Promise<T>
}

const ownLocks = createLocks()

/**
 * Web Locks, which hold across tabs; they exist in secure contexts only. Over plain http each tab has locks of its
 * own: two tabs may then send the same entry, which its idempotency key and its lease make harmless.
 */
export function browserLocks(): Locks {
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: LockManager } }
  const locks = navigator?.locks
  return locks === undefined ? ownLocks : { request: (name, body) => locks.request(name, body) }
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
