import { useEffect, useState } from 'react'

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
