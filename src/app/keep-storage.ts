import type { createStore } from 'jotai'
import { boardAtom } from '../state/live-data'

/** Asks the browser once not to clear the local database by itself, as soon as there is a pair worth keeping. */
export function keepStorage(store: ReturnType<typeof createStore>): void {
  // Plain http has no storage manager.
  const manager = navigator.storage as StorageManager | undefined
  if (manager?.persist === undefined) return
  const stop = store.sub(boardAtom, () => {
    if ((store.get(boardAtom)?.widgets.length ?? 0) === 0) return
    stop()
    const ask = async () => {
      if (!(await manager.persisted())) await manager.persist()
    }
    ask().catch(reportError)
  })
}
