import { createParser } from 'eventsource-parser'
import { vi } from 'vitest'
import type { StreamEventName, StreamEvents } from '../../../src/contract/stream'
import type { Headers } from './person'

type Received = {
  [N in StreamEventName]: { readonly name: N; readonly id: string; readonly data: StreamEvents[N] }
}[StreamEventName]

/** A stream as a browser reads it. */
export interface StreamClient {
  readonly status: number
  readonly headers: globalThis.Headers
  readonly events: readonly Received[]
  /** All that came, comments included. */
  readonly text: () => string
  /** The data of the events of a name so far. */
  of<N extends StreamEventName>(name: N): readonly StreamEvents[N][]
  /** Waits until at least so many events of a name are there. @returns the data of the last */
  next<N extends StreamEventName>(name: N, count?: number): Promise<StreamEvents[N]>
  readonly lastId: () => string
  /** Resolves when the server has ended the stream, or it was cut. */
  readonly ended: Promise<void>
  close(): void
}

/** @param base such as http://127.0.0.1:1234 */
export async function openStream(
  base: string,
  identity: Headers,
  { coins, lastEventId }: { readonly coins?: string; readonly lastEventId?: string } = {},
): Promise<StreamClient> {
  const ending = new AbortController()
  const answer = await fetch(`${base}/api/v1/stream${coins === undefined ? '' : `?coins=${coins}`}`, {
    headers: { ...identity, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: ending.signal,
  })
  const events: Received[] = []
  let text = ''
  const parser = createParser({
    onEvent: ({ event, id, data }) =>
      void events.push({ name: event, id: id ?? '', data: JSON.parse(data) as unknown } as Received),
  })
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      const part = decoder.decode(chunk, { stream: true })
      text += part
      parser.feed(part)
    }
  }
  const of = <N extends StreamEventName>(name: N) =>
    events.flatMap((event) => (event.name === name ? [event.data as StreamEvents[N]] : []))
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    text: () => text,
    of,
    next: (name, count = 1) =>
      vi.waitFor(
        () => {
          const found = of(name)
          if (found.length < count) throw new Error(`${found.length} of ${count} events "${name}" came: ${text}`)
          return found.at(-1)!
        },
        { timeout: 30_000, interval: 5 },
      ),
    lastId: () => events.at(-1)?.id ?? '',
    ended: read().catch(() => undefined),
    close: () => ending.abort(),
  }
}
