import type { ServerResponse } from 'node:http'
import type { StreamEventName, StreamEvents } from '../../../src/contract/stream'
import { createHash } from 'node:crypto'

/** Bytes that may wait in this process for a reader, beyond what the system's own buffers hold. */
const MAX_UNREAD_BYTES = 64 * 1024
/** Ticks of the hub (seconds) for which a reader may leave anything unread in this process. */
const MAX_STALLED_TICKS = 15

/** An open stream. There may be 20,000 in a process: no timer and no listener of its own beside the one for its end. */
export interface LiveStream {
  readonly response: ServerResponse
  readonly audience: Audience
  /** The coins whose prices it brings; null: none were asked for. */
  readonly watch: Watch | null
  /** The session that it belongs to; null for guests. */
  readonly sessionId: string | null
  /** Address that it is counted for. */
  readonly ip: string
  /** Tick of the last write, and of the first one since which something is unread; -1: all is read. */
  wroteAt: number
  stalledAt: number
}

/** The streams of one caller: a user, or a guest, who may own nothing yet. */
export interface Audience {
  readonly key: string
  /** Short name in ids of events; of a guest's hash not enough to be recognized by. */
  readonly name: string
  /** A guest's hash; null for users. */
  readonly guest: string | null
  /** Id in the table of owners; null for a guest who never changed anything. */
  owner: string | null
  /** The latest revisions that this process knows. */
  widgets: number
  account: number
  readonly streams: Set<LiveStream>
  /** Streams that are being opened, for which it is kept as well. */
  opening: number
}

/** A set of coins that streams ask for: what is sent of it is made once for all of them. */
export interface Watch {
  readonly key: string
  readonly coins: readonly string[]
  readonly streams: Set<LiveStream>
  /** Number of the price update that its streams have. */
  serial: number
  /** When they last got prices, milliseconds of the monotonic clock. */
  sentAt: number
  /** Tick of the hub at which its coins are asked for again. */
  askAt: number
}

/** JSON of ASCII alone, whose characters are its bytes: a write then encodes nothing. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** An event without its id, which is each stream's own: all streams of a set of coins share the text of their prices. */
export const eventText = <N extends StreamEventName>(name: N, data: StreamEvents[N]): string =>
  `event: ${name}\ndata: ${asciiJson(data)}\n\n`

/** Writes the first events, together with the answer's head. */
export function writeFirst({ response }: LiveStream, text: string): void {
  response.write(text, 'latin1')
}

/**
 * Writes to a stream, unless its reader has fallen behind. After its head the answer is the connection's bytes, since it has no
 * chunks: written there, an event costs two thirds of what it costs by the answer's own `write`.
 * @param text whole events, ASCII
 * @returns false: the reader is too slow, and the connection was cut
 */
export function write(stream: LiveStream, text: string, tick: number): boolean {
  const { response } = stream
  const { socket } = response
  if (socket === null || response.destroyed || response.writableEnded) return true
  stream.wroteAt = tick
  if (socket.write(text, 'latin1') || socket.writableLength <= MAX_UNREAD_BYTES) return true
  cut(stream)
  return false
}

/** @returns false: the reader has left something unread for too long, and the connection was cut */
export function keepUp(stream: LiveStream, tick: number): boolean {
  if (stream.response.writableLength === 0) {
    stream.stalledAt = -1
    return true
  }
  if (stream.stalledAt < 0) stream.stalledAt = tick
  if (tick - stream.stalledAt < MAX_STALLED_TICKS) return true
  cut(stream)
  return false
}

/** The connection goes with all that is unread; the client's next stream begins with the present state. */
function cut({ response }: LiveStream): void {
  response.destroy()
}

/** All open streams, spread over the ticks in which each is looked after: no stream has a timer of its own. */
export function streamRing(ticks: number) {
  const groups = Array.from({ length: ticks }, () => new Set<LiveStream>())
  let added = 0
  return {
    add: (stream: LiveStream): void => void groups[added++ % ticks]!.add(stream),
    remove: (stream: LiveStream): void => {
      for (const group of groups) group.delete(stream)
    },
    /** Those whose turn it is in this tick. */
    at: (tick: number): ReadonlySet<LiveStream> => groups[tick % ticks]!,
    each: (visit: (stream: LiveStream) => void): void => {
      for (const group of groups) for (const stream of group) visit(stream)
    },
  }
}

export type Watches = ReturnType<typeof createWatches>

export function createWatches() {
  const byKey = new Map<string, Watch>()
  return {
    all: (): Iterable<Watch> => byKey.values(),
    size: (): number => byKey.size,
    /** The watch of these coins, made at need with what was sent so far. */
    enter: (coins: readonly string[], serial: number, askAt: number): Watch | null => {
      if (coins.length === 0) return null
      const sorted = [...new Set(coins)].toSorted()
      const key = createHash('sha256').update(sorted.join(',')).digest('base64url').slice(0, 16)
      const known = byKey.get(key)
      if (known !== undefined) return known
      const watch = { key, coins: sorted, streams: new Set<LiveStream>(), serial, sentAt: -Infinity, askAt }
      byKey.set(key, watch)
      return watch
    },
    /** Forgets a watch that nobody asks for any more. */
    leave: (watch: Watch): void => {
      if (watch.streams.size === 0 && byKey.get(watch.key) === watch) byKey.delete(watch.key)
    },
  }
}
