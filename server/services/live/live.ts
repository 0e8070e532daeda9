import type { FastifyBaseLogger } from 'fastify'
import { STREAM_HEARTBEAT } from '../../../src/contract/stream'
import type { Change } from '../../db/changes'
import type { Database } from '../../db/open'
import type { Env } from '../../env'
import type { Market } from '../market/market'
import type { PolicyStore } from '../policies/policies'
import { createAudiences, keyOf } from './audiences'
import { streamRing } from './live-stream'
import { type StreamHub, openStream, refuseDraining, type StreamRequest } from './open-stream'
import { ownerFeed } from './owner-feed'
import { versionOf } from './position'
import { createPriceBoard } from './price-board'
import { priceFeed } from './price-feed'
import { settingsWatch } from './settings-watch'
import { streamLimits } from './stream-limits'
import { createWatches } from './watches'
import { createWire, type SentCounts, type SharedVersions } from './wire'

/** Milliseconds of a tick, in which a part of the streams is looked after. */
const TICK_MS = 1_000
const HEARTBEAT_TICKS = STREAM_HEARTBEAT / TICK_MS
/** Ticks from one comparison with the database to the next. */
const COMPARE_TICKS = 30
/** Streams that may come back in a second after this process has ended theirs: what another one opens (stream-limits.ts). */
const RETURNS_A_SECOND = 200
/** Time to take the last event, milliseconds. A reader that takes nothing would keep the process from its end. */
const LAST_EVENT_MS = 2_000

interface LiveDeps {
  readonly env: Pick<Env, 'RATE_LIMIT_FACTOR'>
  readonly database: Database
  readonly market: Market
  readonly policies: PolicyStore
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
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

/** Timer and comparisons run while there are streams, and a process that drains takes no more of them. */
type HubState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'serving'; readonly timer: NodeJS.Timeout }
  | { readonly kind: 'draining' }

/** The hub's parts, which know of every stream, and nothing of the hub but whether it drains. */
function partsOf({ env, database, market, policies, clock, logger }: LiveDeps, isDraining: () => boolean): StreamHub {
  const ring = streamRing(HEARTBEAT_TICKS)
  const board = createPriceBoard(market.source, clock)
  const versions: SharedVersions = { policies: versionOf(policies.current), config: '' }
  const wire = createWire(board, versions)
  const audiences = createAudiences()
  const watches = createWatches()
  const owners = ownerFeed({ pool: database.pool, audiences, wire, logger })
  const prices = priceFeed({ market, board, watches, wire, logger })
  const limits = streamLimits(env.RATE_LIMIT_FACTOR)
  return { ring, limits, audiences, watches, board, versions, owners, prices, wire, clock, isDraining }
}

/** Writes to the streams whose turn it is, and has prices fetched that are only asked for by streams. */
function lookAfter({ ring, watches, prices, wire }: StreamHub): number {
  const now = wire.nextTick()
  for (const stream of ring.at(now)) wire.beat(stream, HEARTBEAT_TICKS - 1)
  for (const watch of watches.all()) {
    if (watch.askAt > now) continue
    watch.askAt = now + prices.askEvery
    const [first] = watch.streams
    if (first !== undefined) prices.keepAsked(watch, first.ip)
  }
  return now
}

function endAll({ ring, limits, wire }: StreamHub): void {
  const retry = Math.max(1_000, Math.ceil((limits.open() / RETURNS_A_SECOND) * 1000))
  ring.each((stream) => wire.end(stream, retry))
  setTimeout(() => ring.each(({ response }) => response.destroy()), LAST_EVENT_MS).unref()
}

export function createLive(deps: LiveDeps): Live {
  let state: HubState = { kind: 'idle' }
  const hub = partsOf(deps, () => state.kind === 'draining')
  const { limits, audiences, owners, prices, wire } = hub
  const settings = settingsWatch(hub, deps.logger)

  // Without streams nothing keeps up with changes: the first stream has everything read.
  const compare = async (): Promise<void> => {
    if (state.kind !== 'serving') return
    await Promise.all([owners.compareAll(), prices.refresh(), settings.check()])
  }

  const hear = (changes: readonly Change[]): void => {
    if (state.kind !== 'serving') return
    owners.hear(changes)
    if (changes.some(({ kind }) => kind === 'prices')) void prices.refresh()
  }
  const unsubscribe = deps.database.changes.subscribe(hear)

  function serve(): void {
    if (state.kind !== 'idle') return
    const tick = () => {
      if (lookAfter(hub) % COMPARE_TICKS === 0) void compare()
    }
    state = { kind: 'serving', timer: setInterval(tick, TICK_MS).unref() }
    void settings.check()
  }

  function stopServing(next: 'idle' | 'draining'): void {
    if (state.kind === 'serving') clearInterval(state.timer)
    state = { kind: next }
    prices.rest()
  }

  const restIfAlone = (): void => {
    if (state.kind === 'serving' && limits.open() === 0) stopServing('idle')
  }

  return {
    open: async (request) => {
      refuseDraining(hub)
      const { caller, ip } = request
      limits.enter(keyOf(caller), ip)
      const audience = audiences.enter(caller)
      serve()
      await openStream(hub, audience, request, restIfAlone).finally(restIfAlone)
    },
    hear,
    compare,
    watchSettings: settings.read,
    streams: () => limits.open(),
    counts: wire.counts,
    end: () => {
      if (state.kind === 'draining') return
      stopServing('draining')
      unsubscribe()
      endAll(hub)
    },
  }
}
