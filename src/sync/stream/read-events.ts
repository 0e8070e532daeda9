import { createParser } from 'eventsource-parser'

/** An event of a stream, or a comment or part of an event, which shows that the stream lives. */
export type Received =
  | { readonly kind: 'event'; readonly name: string; readonly data: string; readonly id: string | null }
  | { readonly kind: 'sign-of-life' }

/** Characters of one event: the prices of all coins are 30,000. More is not our server's. */
const LONGEST_EVENT = 1_000_000

/** Reads a text/event-stream until it ends or breaks, which is the same here: our server takes its leave before. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Received> {
  const events: Received[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ event = 'message', data, id = null }) => void events.push({ kind: 'event', name: event, data, id }),
    // Fields of a newer server are ignored.
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded'
    },
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const broken = () => ({ done: true, value: undefined }) as const
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(broken)
      if (done || isTooLong) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield { kind: 'sign-of-life' }
      yield* events.splice(0)
    }
  } finally {
    // The caller may have stopped in the middle; of a broken stream there is nothing to cancel.
    await reader.cancel().catch(() => undefined)
  }
}
