import type { StreamEventName, StreamEvents } from '../../../src/contract/stream'
import { type Audience, eventText, keepUp, type LiveStream, write, writeFirst } from './live-stream'
import { createHash } from 'node:crypto'

/** A short name of a value's state. */
export const versionOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 12)

/**
 * State that a client has after an event: the event's id, which comes back as `Last-Event-ID`. The client reads nothing out
 * of it. Any process understands it; prices are in none, since a stream begins with all of them.
 */
interface Position {
  /** Short name of the owner, or of a guest who owns nothing yet: revisions of another one say nothing. */
  readonly audience: string
  readonly widgets: number
  readonly account: number
  readonly config: string
  readonly policies: string
}

const PART = '([\\w-]*)'
const ID = new RegExp(`^${PART}\\.(\\d{1,15})\\.(\\d{1,15})\\.${PART}\\.${PART}$`)

const idOf = ({ audience, widgets, account, config, policies }: Position): string =>
  `${audience}.${widgets}.${account}.${config}.${policies}`

/** Null for an id that this version did not write. */
export function positionOf(id: string | undefined): Position | null {
  const found = ID.exec(id ?? '')
  if (found === null) return null
  const [, audience = '', widgets, account, config = '', policies = ''] = found
  return { audience, widgets: Number(widgets), account: Number(account), config, policies }
}

/** Versions of what is the same for everybody; empty while unknown. */
export interface SharedVersions {
  policies: string
  config: string
}

/** An event by its name, and as `eventText` makes it. */
type NamedEvent = readonly [name: StreamEventName, body: string]

/** The state that a stream has brought so far. */
const positionAt = ({ name, widgets, account }: Audience, versions: SharedVersions): Position => ({
  audience: name,
  widgets,
  account,
  ...versions,
})

export type Wire = ReturnType<typeof createWire>

/** Writes events with their ids, and comments where nothing else is sent. */
export function createWire(versions: SharedVersions) {
  /** Events that this process has sent, for /metrics: plain numbers, since a price goes to every stream each second. */
  const counts = {
    events: { open: 0, prices: 0, widgets: 0, account: 0, alert: 0, policies: 0, config: 0, closes: 0, bye: 0 },
    dropped: 0,
  }
  let tick = 0

  const idFor = (stream: LiveStream): string => idOf(positionAt(stream.audience, versions))

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
