import type { BrowserContext, Request } from 'playwright/test'

/** Requests of pages and service worker that the network was asked, and the bytes of their bodies as they came. */
interface Traffic {
  readonly requests: number
  readonly bytes: number
}

export interface TrafficWatch {
  /** How many requests have not ended. */
  underWay(): number
  /** Requests and bytes since the call before. */
  read(): Promise<Traffic>
}

const isStream = (request: Request): boolean => new URL(request.url()).pathname === '/api/v1/stream'

/** Watches all that a browser asks for, but for what its caches and its service worker answer. */
export function watchTraffic(context: BrowserContext): TrafficWatch {
  const underWay = new Set<Request>()
  let ended: Request[] = []
  let streams = 0
  const end = (request: Request) => {
    if (underWay.delete(request)) ended.push(request)
  }
  context.on('request', (request) => {
    // A stream does not end, and says next to nothing.
    if (isStream(request)) streams += 1
    else underWay.add(request)
  })
  context.on('requestfinished', end)
  context.on('requestfailed', end)
  return {
    underWay: () => underWay.size,
    async read() {
      const sum = { requests: streams, bytes: 0 }
      for (const request of ended) {
        const answer = request.existingResponse()
        if (answer === null || answer.fromServiceWorker()) continue
        const { responseBodySize } = await request.sizes()
        // Of an answer that the browser had kept nothing came, and its headers are taken off all the same.
        if (responseBodySize < 0) continue
        sum.requests += 1
        sum.bytes += responseBodySize
      }
      ended = []
      streams = 0
      return sum
    },
  }
}
