import type { Change } from '../../db/changes'
import { keyOf } from './audiences'
import { eventText } from './live-stream'
import {
  HEARTBEAT_TICKS,
  type LiveDeps,
  openStream,
  refuseDraining,
  streamHub,
  type StreamHub,
  type StreamRequest,
  TICK_MS,
} from './open-stream'
import { versionOf } from './wire'

/** Ticks from one comparison with the database to the next. */
const COMPARE_TICKS = 30
/** Streams that may come back in a second after this process has ended theirs: what another one opens (stream-limits.ts). */
const RETURNS_A_SECOND = 200
/** Time to take the last event, milliseconds. A reader that takes nothing would keep the process from its end. */
const LAST_EVENT_MS = 2_000

/** Timer and comparisons run while there are streams, and a process that drains takes no more of them. */
type HubState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'serving'; readonly timer: NodeJS.Timeout }
  | { readonly kind: 'draining' }

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

function tellOf(hub: StreamHub, changes: readonly Change[], closes: ReadonlySet<string>): void {
  hub.owners.hear(changes)
  if (changes.some(({ kind }) => kind === 'prices')) void hub.prices.refresh()
  if (closes.size > 0) tellOfCloses(hub, closes)
}

/** Tells the streams that bring prices of these coins; their set is looked through once for all of them. */
function tellOfCloses({ watches, wire, clock }: StreamHub, coins: ReadonlySet<string>): void {
  const body = eventText('closes', { version: String(clock()) })
  for (const watch of watches.all()) {
    if (!watch.coins.some((coin) => coins.has(coin))) continue
    for (const stream of watch.streams) wire.sendBody(stream, 'closes', body)
  }
}

function endAll({ ring, limits, wire }: StreamHub): void {
  const retry = Math.max(1_000, Math.ceil((limits.open() / RETURNS_A_SECOND) * 1000))
  ring.each((stream) => wire.end(stream, retry))
  setTimeout(() => ring.each(({ response }) => response.destroy()), LAST_EVENT_MS).unref()
}

export type Live = ReturnType<typeof createLive>

/** The open streams of this process. */
export function createLive(deps: LiveDeps) {
  let state: HubState = { kind: 'idle' }
  const hub = streamHub(deps, () => state.kind === 'draining')
  const { limits, audiences, owners, prices, wire } = hub
  const settings = settingsWatch(hub, deps.logger)

  // Without streams nothing keeps up with changes: the first stream has everything read.
  const compare = async (): Promise<void> => {
    if (state.kind !== 'serving') return
    await Promise.all([owners.look(), prices.refresh(), settings.check()])
  }

  const hear = (changes: readonly Change[]): void => {
    const closes = new Set(changes.flatMap((change) => (change.kind === 'closes' ? [change.coin] : [])))
    if (closes.size > 0) deps.market.closesCame()
    if (state.kind === 'serving') tellOf(hub, changes, closes)
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
    /** @throws ApiError TOKEN_EXPIRED, RATE_LIMITED, STREAM_UNAVAILABLE */
    open: async (request: StreamRequest): Promise<void> => {
      refuseDraining(hub)
      limits.enter(keyOf(request.caller), request.ip)
      const audience = audiences.enter(request.caller)
      serve()
      await openStream(hub, audience, request, restIfAlone).finally(restIfAlone)
    },
    /** Takes changes of other processes; those of this one come by themselves. */
    hear,
    /** Finds what no hint has told of: owners whose revisions have risen, some others in their turn, and prices. */
    compare,
    /** Names what everybody's settings are read from, so that streams tell when they change. */
    watchSettings: settings.read,
    streams: limits.open,
    counts: wire.counts,
    /** Ends every stream with a last event, and takes none from now on. */
    end: (): void => {
      if (state.kind === 'draining') return
      stopServing('draining')
      unsubscribe()
      endAll(hub)
    },
  }
}

/** Tells streams when everybody's settings have changed. */
function settingsWatch({ ring, versions, wire }: StreamHub, logger: LiveDeps['logger']) {
  let readSettings: (() => Promise<unknown>) | null = null
  return {
    /** Names what the settings are read from; before, nothing is compared. */
    read: (read: () => Promise<unknown>): void => {
      readSettings = read
    },
    check: async (): Promise<void> => {
      if (readSettings === null) return
      try {
        const version = versionOf(await readSettings())
        if (version === versions.config) return
        versions.config = version
        const body = eventText('config', { version })
        ring.each((stream) => wire.sendBody(stream, 'config', body))
      } catch (error) {
        logger?.warn({ err: error }, 'the settings that streams tell of could not be read')
      }
    },
  }
}
