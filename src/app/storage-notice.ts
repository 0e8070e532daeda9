import { isStorageFull, StorageFull } from '../db/quota-eviction'
import { showToastAtom } from '../state/toasts'
import type { Store } from '../state/services'

const told = new WeakSet<Store>()

/** Says once that the storage is full, where that is what an error comes from: every poll will meet it. */
export function noteStorage(store: Store, error: unknown): void {
  if (told.has(store) || !isStorageFull(error)) return
  told.add(store)
  store.set(showToastAtom, { kind: 'error', message: new StorageFull(error).message })
}
