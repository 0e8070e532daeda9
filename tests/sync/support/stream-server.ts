import { vi } from 'vitest'
import type { StreamEventName, StreamEvents } from '../../../src/contract/stream'

/** One open stream, from the server's side. */
export interface OpenStream {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly send: <N extends StreamEventName>(name: N, data: StreamEvents[N], id?: string) => void
  /** Bytes as they are, such as a comment, an event in pieces or one of another version. */
  readonly write: (text: string) => void
  readonly end: () => void
  /** The connection is gone. */
  readonly cut: () => void
  readonly isClosed: () => boolean
}

/** A server of streams that does what a test says; `refuse` answers the next requests instead. */
export function streamServer() {
  const streams: OpenStream[] = []
  const refusals: (Response | Error | 'silence')[] = []
  const requests: Readonly<Record<string, string>>[] = []
  const encoder = new TextEncoder()

  const open = (url: URL, init: RequestInit): Response => {
    let closed = false
    let controller!: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({
      start: (given) => {
        controller = given
      },
      cancel: () => {
        closed = true
      },
    })
    const once = (act: () => void) => () => {
      if (!closed) act()
      closed = true
    }
    init.signal?.addEventListener(
      'abort',
      once(() => controller.error(new DOMException('Aborted', 'AbortError'))),
    )
    const write = (text: string) => {
      if (!closed) controller.enqueue(encoder.encode(text))
    }
    streams.push({
      url,
      headers: init.headers as Record<string, string>,
      write,
      send: (name, data, id = `id-${streams.length}`) =>
        write(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
      end: once(() => controller.close()),
      cut: once(() => controller.error(new TypeError('network error'))),
      isClosed: () => closed,
    })
    return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
  }

  return {
    streams,
    requests,
    refuse: (...answers: (Response | Error | 'silence')[]) => void refusals.push(...answers),
    handle: ({ url, init }: { readonly url: URL; readonly init: RequestInit }): Promise<Response> => {
      requests.push(init.headers as Record<string, string>)
      const refusal = refusals.shift()
      if (refusal === undefined) return Promise.resolve(open(url, init))
      if (refusal instanceof Response) return Promise.resolve(refusal)
      if (refusal instanceof Error) return Promise.reject(refusal)
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
      })
    },
    /** Waits for the stream in that place, from 1 on. */
    opened: (count: number): Promise<OpenStream> =>
      vi.waitFor(() => {
        const stream = streams[count - 1]
        if (stream === undefined) throw new Error(`${streams.length} of ${count} streams are open`)
        return stream
      }),
  }
}
