import type { Locks } from '../../../src/db/locks'

/** Web Locks of one browser: exclusive, in order of request, and released when the context that holds them dies. */
export interface FakeLocks {
  readonly forContext: (context: string) => Locks
  readonly release: (context: string) => void
  readonly isHeld: (name: string) => boolean
}

interface Request {
  readonly context: string
  readonly grant: () => void
}

export function fakeLocks(): FakeLocks {
  const holders = new Map<string, Request>()
  const queues = new Map<string, Request[]>()

  const grantNext = (name: string): void => {
    if (holders.has(name)) return
    const next = queues.get(name)?.shift()
    if (next === undefined) return
    holders.set(name, next)
    next.grant()
  }
  const leave = (name: string, request: Request): void => {
    if (holders.get(name) !== request) return
    holders.delete(name)
    grantNext(name)
  }
  return {
    isHeld: (name) => holders.has(name),
    forContext: (context) => ({
      async request(name, body, signal) {
        let request!: Request
        await new Promise<void>((resolve, reject) => {
          request = { context, grant: resolve }
          queues.set(name, [...(queues.get(name) ?? []), request])
          signal?.addEventListener('abort', () => {
            const queue = queues.get(name) ?? []
            if (!queue.includes(request)) return
            queues.set(
              name,
              queue.filter((one) => one !== request),
            )
            reject(signal.reason as Error)
          })
          grantNext(name)
        })
        try {
          return await body()
        } finally {
          leave(name, request)
        }
      },
    }),
    release(context) {
      for (const [name, queue] of queues) {
        queues.set(
          name,
          queue.filter((request) => request.context !== context),
        )
      }
      for (const [name, request] of holders) if (request.context === context) leave(name, request)
    },
  }
}
