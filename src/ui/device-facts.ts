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

/** Milliseconds after which a worker that has not said its version is taken not to. */
const PATIENCE = 3_000

/** Host of the engine, in one line; undefined until it has answered. */
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
    // At the first visit of all the page is there before its worker is.
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

/** Null where it does not say: one of before it could. */
function versionOf(worker: ServiceWorker): Promise<string | null> {
  const { port1: port, port2: theirs } = new MessageChannel()
  return new Promise<string | null>((resolve) => {
    setTimeout(() => resolve(null), PATIENCE)
    port.addEventListener('message', ({ data }: MessageEvent<string>) => resolve(data))
    port.start()
    worker.postMessage({ type: 'VERSION' }, [theirs])
  }).finally(() => port.close())
}

/** Such as "840 kB", "12.4 MB" or "2.1 GB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`
}
