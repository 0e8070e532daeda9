import { useEffect, useState } from 'react'

export interface StorageFacts {
  /** Bytes of this site, as the browser estimates them; null: it does not say. */
  readonly used: number | null
  /** Whether the browser promised not to clear it by itself. */
  readonly persisted: boolean
}

/** Undefined until the browser has answered. */
export function useStorageFacts(): StorageFacts | undefined {
  const [facts, setFacts] = useState<StorageFacts>()
  useEffect(() => {
    let wanted = true
    // Plain http has no storage manager.
    const manager = navigator.storage as StorageManager | undefined
    const read = async () => {
      const [estimate, persisted] = await Promise.all([manager?.estimate?.(), manager?.persisted?.()])
      if (wanted) setFacts({ used: estimate?.usage ?? null, persisted: persisted ?? false })
    }
    read().catch(reportError)
    return () => {
      wanted = false
    }
  }, [])
  return facts
}
