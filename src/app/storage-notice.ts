import type { createStore } from 'jotai'
import { isStorageFull, StorageFull } from '../db/storage-full'
import { showToastAtom } from '../state/toasts'

const told = new WeakSet<ReturnType<typeof createStore>>()

/** Says once that the storage is full, where that is what an error comes from: every poll will meet it. */
export function noteStorage(store: ReturnType<typeof createStore>, error: unknown): void {
  if (told.has(store) || !isStorageFull(error)) return
  told.add(store)
  store.set(showToastAtom, { type: 'error', message: new StorageFull(error).message })
}
