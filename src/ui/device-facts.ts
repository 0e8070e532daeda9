import { useEffect, useState } from 'react'

export interface StorageFacts {
  /** Bytes of this site as the browser estimates them; null: unknown. */
  readonly used: number | null
  /** Bytes that the browser would let this site have; null: unknown. */
  readonly quota: number | null
  /** True if the browser promised not to clear the site's data by itself. */
  readonly persisted: boolean
}

/** Milliseconds between two questions to the browser. */
const MEASURE_INTERVAL = 30_000

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
    const timer = setInterval(measure, MEASURE_INTERVAL)
    return () => {
      wanted = false
      clearInterval(timer)
    }
  }, [])
  return facts
}

/** Milliseconds for which the page waits for a worker's version. */
const VERSION_TIMEOUT_MS = 3_000

/** Host of the engine, in one line; undefined until the service worker has answered. */
export function useWorkerLine(): string | undefined {
  const [line, setLine] = useState<string>()
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const look = () =>
      void workerLine().then(
        (found) => signal.aborted || setLine(found),
        (error: unknown) => reportError(error),
      )
    look()
    // At the first visit the page is there before its worker.
    if ('serviceWorker' in navigator) navigator.serviceWorker.addEventListener('controllerchange', look, { signal })
    return () => controller.abort()
  }, [])
  return line
}

async function workerLine(): Promise<string> {
  if (!('serviceWorker' in navigator)) return 'None in this browser: the page does its work'
  const registration = await navigator.serviceWorker.getRegistration()
  const active = registration?.active
  if (active == null) return 'Not active: the page does its work'
  const version = await versionOf(active)
  const running = version === null ? 'Active' : `v${version}, active`
  return registration?.waiting == null ? running : `${running}; a newer one waits`
}

/** Null for a worker of an older version, which does not answer. */
function versionOf(worker: ServiceWorker): Promise<string | null> {
  const { port1: port, port2: theirs } = new MessageChannel()
  return new Promise<string | null>((resolve) => {
    setTimeout(() => resolve(null), VERSION_TIMEOUT_MS)
    port.addEventListener('message', ({ data }: MessageEvent<string>) => resolve(data))
    port.start()
    worker.postMessage({ type: 'VERSION' }, [theirs])
  }).finally(() => port.close())
}
