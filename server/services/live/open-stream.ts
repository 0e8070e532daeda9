import type { ServerResponse } from 'node:http'
import { STREAM_HEARTBEAT, type StreamEventName } from '../../../src/contract/stream'
import { ApiError, StreamUnavailable } from '../../http/api-error'
import type { Market } from '../market/market'
import type { Caller } from '../owners'
import type { PolicyStore } from '../policies/policies'
import type { ServiceDeps } from '../service-deps'
import { createAudiences } from './audiences'
import { type Audience, createWatches, eventText, type LiveStream, streamRing } from './live-stream'
import { ownerFeed } from './owner-feed'
import { createPriceBoard, priceFeed } from './price-feed'
import { streamLimits } from './stream-limits'
import { createWire, positionOf, type SharedVersions, versionOf } from './wire'

/** Milliseconds of a tick, in which a part of the streams is looked after. */
export const TICK_MS = 1_000
export const HEARTBEAT_TICKS = STREAM_HEARTBEAT / TICK_MS
/** Seconds after which a client tries again that met a process on its way to its end. */
const DRAINING_RETRY_SECONDS = 5

/** A stream that a client asks for. */
export interface StreamRequest {
  readonly caller: Caller
  readonly coins: readonly string[]
  readonly ip: string
  readonly lastEventId: string | undefined
  /** Writes the answer's head; null: the client has gone meanwhile. */
  readonly begin: () => ServerResponse | null
}

export interface LiveDeps extends Pick<ServiceDeps, 'env' | 'database' | 'clock' | 'logger'> {
  readonly market: Market
  readonly policies: PolicyStore
}

export type StreamHub = ReturnType<typeof streamHub>

/** The registries and feeds that know of every stream, and nothing of the process but whether it drains. */
export function streamHub({ env, database, market, policies, clock, logger }: LiveDeps, isDraining: () => boolean) {
  const ring = streamRing(HEARTBEAT_TICKS)
  const board = createPriceBoard(market.source, clock)
  const versions: SharedVersions = { policies: versionOf(policies.current), config: '' }
  const wire = createWire(versions)
  const audiences = createAudiences()
  const watches = createWatches()
  const owners = ownerFeed({ pool: database.pool, audiences, wire, logger })
  const prices = priceFeed({ market, board, watches, wire, logger })
  const limits = streamLimits(env.RATE_LIMIT_FACTOR)
  return { ring, limits, audiences, watches, board, versions, owners, prices, wire, clock, isDraining }
}

/** @throws StreamUnavailable while the process drains */
export function refuseDraining({ isDraining }: StreamHub): void {
  if (isDraining()) throw new StreamUnavailable(DRAINING_RETRY_SECONDS)
}

/**
 * Opens the stream of a caller who has been counted, and keeps it until its end.
 * @param closed called after the stream has ended
 * @throws ApiError TOKEN_EXPIRED, STREAM_UNAVAILABLE; the caller is then not counted any more
 */
export async function openStream(
  hub: StreamHub,
  audience: Audience,
  { caller, coins, ip, lastEventId, begin }: StreamRequest,
  closed: () => void,
): Promise<void> {
  const { ring, watches, board, owners, prices, wire } = hub
  const sessionId = caller.kind === 'user' ? caller.sessionId : null
  let stream: LiveStream | null = null
  try {
    const [state] = await Promise.all([owners.read(audience, sessionId), coins.length > 0 && prices.ready()])
    if (state === null) throw new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')
    refuseDraining(hub)
    const response = begin()
    if (response === null) return
    const watch = watches.enter(coins, board.serial(), wire.tick() + prices.askEvery)
    stream = { response, audience, watch, sessionId, ip, wroteAt: wire.tick(), stalledAt: -1 }
    audience.streams.add(stream)
    watch?.streams.add(stream)
    ring.add(stream)
  } finally {
    audience.opening -= 1
    if (stream === null) forget(hub, audience, ip)
  }
  const added = stream
  added.response.on('close', () => {
    remove(hub, added)
    closed()
  })
  wire.greet(added, greeting(hub, added, lastEventId))
  if (added.watch !== null) prices.keepAsked(added.watch, ip)
}

function forget({ audiences, limits }: StreamHub, audience: Audience, ip: string): void {
  audiences.leave(audience)
  limits.leave(audience.key, ip)
}

function remove(hub: StreamHub, stream: LiveStream): void {
  const { audience, watch, ip } = stream
  hub.ring.remove(stream)
  audience.streams.delete(stream)
  if (watch !== null) {
    watch.streams.delete(stream)
    hub.watches.leave(watch)
  }
  forget(hub, audience, ip)
}

/** The state that the client lacks, as its first events. */
function greeting(
  { versions, board, clock }: StreamHub,
  { audience, watch }: LiveStream,
  lastEventId: string | undefined,
): (readonly [StreamEventName, string])[] {
  const position = positionOf(lastEventId)
  const known = position?.audience === audience.name ? position : null
  const events: (readonly [StreamEventName, string])[] = [
    ['open', eventText('open', { pull: known === null, now: clock() })],
  ]
  if (known?.widgets !== audience.widgets)
    events.push(['widgets', eventText('widgets', { revision: audience.widgets })])
  if (known?.account !== audience.account)
    events.push(['account', eventText('account', { revision: audience.account })])
  if (position?.policies !== versions.policies) {
    events.push(['policies', eventText('policies', { version: versions.policies })])
  }
  if (versions.config !== '' && position?.config !== versions.config) {
    events.push(['config', eventText('config', { version: versions.config })])
  }
  if (watch !== null) {
    const data = board.eventSince(watch.coins, 0)
    if (data !== null) events.push(['prices', `event: prices\ndata: ${data}\n\n`])
  }
  return events
}
