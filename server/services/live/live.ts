import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { STREAM_HEARTBEAT, type StreamEventName } from '../../../src/contract/stream'
import { ApiError, StreamUnavailable } from '../../http/api-error'
import type { Change } from '../../db/changes'
import type { Database } from '../../db/open'
import type { Env } from '../../env'
import type { Caller } from '../caller'
import type { Market } from '../market/market'
import type { PolicyStore } from '../policies/policies'
import { createAudiences } from './audiences'
import { eventText, type LiveStream } from './live-stream'
import { ownerFeed } from './owner-feed'
import { positionOf } from './position'
import { createPriceBoard } from './price-board'
import { priceFeed } from './price-feed'
import { streamLimits } from './stream-limits'
import { createWatches } from './watches'
import { createWire, type SentCounts, type SharedVersions } from './wire'

/** Milliseconds of a tick, in which a part of the streams is looked after: no stream has a timer of its own. */
const TICK_MS = 1_000
const HEARTBEAT_TICKS = STREAM_HEARTBEAT / TICK_MS
/** Ticks from one comparison with the database to the next. */
const COMPARE_TICKS = 30
/** Streams that may come back in a second after this process has ended theirs: what another one opens (stream-limits.ts). */
const RETURNS_A_SECOND = 200
/** Time to take the last event, milliseconds. A reader that takes nothing would keep the process from its end. */
const LAST_EVENT_MS = 2_000
/** Seconds after which a client tries again that met a process on its way to its end. */
const DRAINING_RETRY_SECONDS = 5

interface LiveDeps {
  readonly env: Pick<Env, 'RATE_LIMIT_FACTOR'>
  readonly database: Database
  readonly market: Market
  readonly policies: PolicyStore
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
}

/** A stream that a client asks for. */
interface StreamRequest {
  readonly caller: Caller
  readonly coins: readonly string[]
  readonly ip: string
  readonly lastEventId: string | undefined
  /** Writes the answer's head; null: the client has gone meanwhile. */
  readonly begin: () => ServerResponse | null
}

/** The open streams of this process. */
export interface Live {
  /** @throws ApiError TOKEN_EXPIRED, RATE_LIMITED, STREAM_UNAVAILABLE */
  open(request: StreamRequest): Promise<void>
  /** Takes changes of other processes; those of this one come by themselves. */
  hear(changes: readonly Change[]): void
  /** Finds what no hint has told of, with all owners of streams in one statement, and prices. */
  compare(): Promise<void>
  /** Names what everybody's settings are read from, so that streams tell when they change. */
  watchSettings(read: () => Promise<unknown>): void
  streams(): number
  readonly counts: SentCounts
  /** Ends every stream with a last event, and takes none from now on. */
  end(): void
}

const versionOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 12)

export function createLive({ env, database, market, policies, clock, logger }: LiveDeps): Live {
  const board = createPriceBoard(market.source, clock)
  const versions: SharedVersions = { policies: versionOf(policies.current), config: '' }
  const wire = createWire(board, versions)
  const audiences = createAudiences()
  const watches = createWatches()
  const owners = ownerFeed({ pool: database.pool, audiences, wire, logger })
  const prices = priceFeed({ market, board, watches, wire, logger })
  const limits = streamLimits(env.RATE_LIMIT_FACTOR)
  /** By the tick in which they are looked after. */
  const groups = Array.from({ length: HEARTBEAT_TICKS }, () => new Set<LiveStream>())
  let readSettings: (() => Promise<unknown>) | null = null
  let timer: NodeJS.Timeout | null = null
  let ended = false
  let opened = 0

  const each = (visit: (stream: LiveStream) => void): void => {
    for (const group of groups) for (const stream of group) visit(stream)
  }

  async function checkSettings(): Promise<void> {
    if (readSettings === null) return
    try {
      const version = versionOf(await readSettings())
      if (version === versions.config) return
      versions.config = version
      const body = eventText('config', { version })
      each((stream) => wire.sendBody(stream, 'config', body))
    } catch (error) {
      logger?.warn({ err: error }, 'the settings that streams tell of could not be read')
    }
  }

  const compare = async (): Promise<void> => {
    // Without streams nothing keeps up with changes: the first stream has everything read.
    if (timer === null) return
    await Promise.all([owners.compareAll(), prices.refresh(), checkSettings()])
  }

  function tick(): void {
    const now = wire.nextTick()
    for (const stream of groups[now % HEARTBEAT_TICKS]!) wire.beat(stream, HEARTBEAT_TICKS - 1)
    for (const watch of watches.all()) {
      if (watch.askAt > now) continue
      watch.askAt = now + prices.askEvery
      const [first] = watch.streams
      if (first !== undefined) prices.keepAsked(watch, first.ip)
    }
    if (now % COMPARE_TICKS === 0) void compare()
  }

  function hear(changes: readonly Change[]): void {
    if (timer === null) return
    owners.hear(changes)
    if (changes.some(({ kind }) => kind === 'prices')) void prices.refresh()
  }
  const unsubscribe = database.changes.subscribe(hear)

  function wake(): void {
    if (timer !== null || ended) return
    timer = setInterval(tick, TICK_MS).unref()
    void checkSettings()
  }

  function restIfAlone(): void {
    if (limits.open() > 0 || timer === null) return
    clearInterval(timer)
    timer = null
    prices.rest()
  }

  function remove(stream: LiveStream): void {
    const { audience, watch, ip } = stream
    for (const group of groups) group.delete(stream)
    audience.streams.delete(stream)
    audiences.leave(audience)
    if (watch !== null) {
      watch.streams.delete(stream)
      watches.leave(watch)
    }
    limits.leave(audience.key, ip)
    restIfAlone()
  }

  /** The state that the client lacks, in one write. */
  function greet(stream: LiveStream, lastEventId: string | undefined): void {
    const { audience, watch } = stream
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
      const data = board.eventSince(watch.coins, board.serialOf(position?.prices ?? '', watch.key))
      if (data !== null) events.push(['prices', `event: prices\ndata: ${data}\n\n`])
    }
    wire.greet(stream, events)
  }

  async function open({ caller, coins, ip, lastEventId, begin }: StreamRequest): Promise<void> {
    if (ended) throw new StreamUnavailable(DRAINING_RETRY_SECONDS)
    const key = caller.kind === 'guest' ? caller.anonymousHash : caller.userId
    limits.enter(key, ip)
    const audience = audiences.enter(caller)
    const sessionId = caller.kind === 'user' ? caller.sessionId : null
    wake()
    let stream: LiveStream | null = null
    try {
      const [state] = await Promise.all([owners.read(audience, sessionId), coins.length > 0 && prices.ready()])
      if (state === null) throw new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')
      if (ended) throw new StreamUnavailable(DRAINING_RETRY_SECONDS)
      const response = begin()
      if (response === null) return
      const watch = watches.enter(coins, board.serial(), wire.tick() + prices.askEvery)
      stream = { response, audience, watch, sessionId, ip, wroteAt: wire.tick(), stalledAt: -1 }
      audience.streams.add(stream)
      watch?.streams.add(stream)
      groups[opened++ % HEARTBEAT_TICKS]!.add(stream)
    } finally {
      audience.opening -= 1
      if (stream === null) {
        audiences.leave(audience)
        limits.leave(key, ip)
        restIfAlone()
      }
    }
    const added = stream
    added.response.on('close', () => remove(added))
    greet(added, lastEventId)
    if (added.watch !== null) prices.keepAsked(added.watch, ip)
  }

  return {
    open,
    hear,
    compare,
    watchSettings: (read) => {
      readSettings = read
    },
    streams: () => limits.open(),
    counts: wire.counts,
    end: () => {
      if (ended) return
      ended = true
      unsubscribe()
      const retry = Math.max(1_000, Math.ceil((limits.open() / RETURNS_A_SECOND) * 1000))
      each((stream) => wire.end(stream, retry))
      setTimeout(() => each(({ response }) => response.destroy()), LAST_EVENT_MS).unref()
      if (timer !== null) clearInterval(timer)
      timer = null
      prices.rest()
    },
  }
}
