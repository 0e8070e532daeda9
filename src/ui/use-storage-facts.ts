import { useEffect, useState } from 'react'

export interface StorageFacts {
  /** Bytes of this site, as the browser estimates them; null: it does not say. */
  readonly used: number | null
  /** Bytes that it would let this site have; null: it does not say. */
  readonly quota: number | null
  /** Whether the browser promised not to clear it by itself. */
  readonly persisted: boolean
}

/** Milliseconds after which the browser is asked again. */
const MEASURED_EVERY = 30_000

/** Undefined until the browser has answered. */
export function useStorageFacts(): StorageFacts | undefined {
  const [facts, setFacts] = useState<StorageFacts>()
  useEffect(() => {
    let wanted = true
    // Plain http has no storage manager.
    const manager = navigator.storage as StorageManager | undefined
    const read = async () => {
      const [estimate, persisted] = await Promise.all([manager?.estimate?.(), manager?.persisted?.()])
      const { usage = null, quota = null } = estimate ?? {}
      if (wanted) setFacts({ used: usage, quota, persisted: persisted ?? false })
    }
    const measure = () => void read().catch((error: unknown) => reportError(error))
    measure()
    const timer = setInterval(measure, MEASURED_EVERY)
    return () => {
      wanted = false
      clearInterval(timer)
    }
  }, [])
  return facts
}
