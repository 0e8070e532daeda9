import * as z from 'zod/mini'
import { MARKET_SOURCES } from './market'
import type { Route } from './route'

/**
 * The revision of an owner's list of widgets, an opaque number: another value means that the list may be another. GET /widgets
 * sends it, and as ETag; every change sends `before after` of the change, so that the client whose list was of `before` knows
 * that it is of `after` without a pull.
 */
export const REVISION_HEADER = 'x-widgets-revision'

/** Most coins that one stream brings prices of: as many as the list of coins has. */
export const MAX_STREAM_COINS = 500
/** Milliseconds between two comments of a stream in which nothing else is sent. */
export const STREAM_HEARTBEAT = 20_000

/**
 * Events of GET /stream (text/event-stream) by their name. An `id` stands for the state that the client has after the event;
 * with it as `Last-Event-ID` the server leaves out what the client has, prices apart. Of events that belong together, as the
 * first ones do, the last one alone has an id. A client ignores names that it does not know, and members of data as well.
 */
export const streamEvents = {
  /** The first event. `pull`: the server cannot say what the client has missed. `now`: the server's time, milliseconds. */
  open: z.object({ pull: z.boolean(), now: z.number() }),
  /** The prices of the asked coins that have changed, at first all of them; at most one event a second. */
  prices: z.object({
    source: z.enum(MARKET_SOURCES),
    /** The server's time of the event, milliseconds since 1970. */
    now: z.number(),
    /** As AS_OF_HEADER says for polls. A server of an earlier version sends none. */
    as_of: z.optional(z.number()),
    /** By coin: USD, the provider's time (milliseconds since 1970), and the id of the exchange that gave it; null: the provider. */
    prices: z.record(z.string(), z.tuple([z.number(), z.number(), z.nullable(z.string())])),
  }),
  /** The owner's widgets or checkpoints are of this revision. */
  widgets: z.object({ revision: z.number() }),
  /** The owner's account or tier has changed: an opaque number. */
  account: z.object({ revision: z.number() }),
  /** A threshold of the owner was crossed. The id is that of the crossing in the list of alerts. */
  alert: z.object({ event_id: z.string() }),
  /** Versions of the policies, and of the public settings (config and tier limits): opaque words. */
  policies: z.object({ version: z.string() }),
  config: z.object({ version: z.string() }),
  /** Daily closes of asked coins have come, which the matrix lacked before: an opaque word, another one each time. */
  closes: z.object({ version: z.string() }),
  /** The last event of a stream that the server ends. `retry`: milliseconds over which clients spread their next stream. */
  bye: z.object({ retry: z.number() }),
} as const
export type StreamEventName = keyof typeof streamEvents
export type StreamEvents = { readonly [N in StreamEventName]: z.infer<(typeof streamEvents)[N]> }

/** The stream's address and query; the answer is text/event-stream, so it stands beside the table of routes. */
export const streamRoute = {
  method: 'GET',
  path: '/stream',
  identity: 'any',
  summary: 'Server-sent events: prices of the asked coins, and which of the caller’s data have changed',
  query: z.strictObject({
    coins: z.optional(z.string().check(z.maxLength(MAX_STREAM_COINS * 129))),
  }),
  answer: null,
} as const satisfies Route
