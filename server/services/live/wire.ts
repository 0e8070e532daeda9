import type { StreamEventName, StreamEvents } from '../../../src/contract/stream'
import { type Audience, eventText, keepUp, type LiveStream, write, writeFirst } from './live-stream'
import { idOf, type Position } from './position'
import type { PriceBoard } from './price-board'

/** Versions of what is the same for everybody; empty while unknown. */
export interface SharedVersions {
  policies: string
  config: string
}

/** Events that this process has sent, for /metrics: plain numbers, since a price goes to every stream each second. */
export interface SentCounts {
  readonly events: Record<StreamEventName, number>
  dropped: number
}

/** An event by its name, and as `eventText` makes it. */
type NamedEvent = readonly [name: StreamEventName, body: string]

/** The state that a stream has brought so far. */
const positionAt = ({ audience, watch }: LiveStream, board: PriceBoard, versions: SharedVersions): Position => ({
  audience: audience.name,
  widgets: audience.widgets,
  account: audience.account,
  ...versions,
  prices: watch === null ? '' : board.mark(watch.serial, watch.key),
})

export type Wire = ReturnType<typeof createWire>

/** Writes events with their ids, and comments where nothing else is sent. */
export function createWire(board: PriceBoard, versions: SharedVersions) {
  const counts: SentCounts = {
    events: { open: 0, prices: 0, widgets: 0, account: 0, alert: 0, policies: 0, config: 0, bye: 0 },
    dropped: 0,
  }
  let tick = 0

  const idFor = (stream: LiveStream): string => idOf(positionAt(stream, board, versions))

  function put(stream: LiveStream, text: string): void {
    if (!write(stream, text, tick)) counts.dropped += 1
  }

  /** @param body as `eventText` makes it, so that one text serves many streams */
  function sendBody(stream: LiveStream, name: StreamEventName, body: string): void {
    counts.events[name] += 1
    put(stream, `id: ${idFor(stream)}\n${body}`)
  }

  /** Events that belong together, of which the last one alone has an id: a stream cut before it brings all of them again. */
  function together(stream: LiveStream, events: readonly NamedEvent[]): string {
    for (const [name] of events) counts.events[name] += 1
    const bodies = events.map(([, body]) => body)
    return [...bodies.slice(0, -1), `id: ${idFor(stream)}\n${bodies.at(-1)!}`].join('')
  }

  return {
    counts,
    sendBody,
    /** The first events, in one write. */
    greet: (stream: LiveStream, events: readonly NamedEvent[]): void => writeFirst(stream, together(stream, events)),
    /** Tells all streams of a caller which of the revisions have changed. */
    tellRevisions: (audience: Audience, changed: Readonly<Record<'widgets' | 'account', boolean>>): void => {
      const parts = (['widgets', 'account'] as const).filter((part) => changed[part])
      if (parts.length === 0) return
      const events = parts.map((part) => [part, eventText(part, { revision: audience[part] })] as const)
      for (const stream of audience.streams) put(stream, together(stream, events))
    },
    broadcast: <N extends StreamEventName>({ streams }: Audience, name: N, data: StreamEvents[N]): void => {
      const body = eventText(name, data)
      for (const stream of streams) sendBody(stream, name, body)
    },
    /** The last event of a stream, and its end. */
    end: (stream: LiveStream, retry: number): void => {
      const { response } = stream
      if (response.destroyed || response.writableEnded) return
      counts.events.bye += 1
      response.end(`id: ${idFor(stream)}\n${eventText('bye', { retry })}`)
    },
    tick: (): number => tick,
    nextTick: (): number => (tick += 1),
    /** A comment where nothing was sent for `ticks`; a reader that has stopped reading is cut off. */
    beat: (stream: LiveStream, ticks: number): void => {
      if (!keepUp(stream, tick)) counts.dropped += 1
      else if (tick - stream.wroteAt >= ticks) put(stream, ':\n\n')
    },
  }
}
