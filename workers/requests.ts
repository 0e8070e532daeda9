import { kindOf, sentError } from '../src/sync/protocol'

/** Serves one request of the page over its port. */
export type Serve = (request: unknown, port: MessagePort) => void

/**
 * The listener for requests to engine and stream, whose code `load` brings with the first of them, and again after a
 * failure: charts wait for no schemas.
 */
export function requestListener(load: () => Promise<Serve>): (event: Pick<MessageEvent, 'data' | 'ports'>) => void {
  let loading: Promise<Serve> | undefined
  return ({ data, ports: [port] }) => {
    // Comlink's own messages have no `kind`.
    if (kindOf(data) === undefined || port === undefined) return
    loading ??= load()
    loading.then(
      (serve) => serve(data, port),
      (error: unknown) => {
        loading = undefined
        port.postMessage({ kind: 'failed', ...sentError(error) })
      },
    )
  }
}
