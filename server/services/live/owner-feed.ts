import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Change } from '../../db/changes'
import type { Audiences } from './audiences'
import type { Audience } from './live-stream'
import { type AskedOwners, type OwnerState, readOwnerStates } from './owner-states'
import type { Wire } from './wire'

/** Milliseconds over which the client of an ended session spreads its next try, which is answered 401. */
const ENDED_RETRY_MS = 1_000
/** From one search for guests who have become owners to the next, milliseconds. */
const RESOLVE_EVERY_MS = 100

interface OwnerFeedDeps {
  readonly pool: Pool
  readonly audiences: Audiences
  readonly wire: Wire
  readonly logger?: FastifyBaseLogger | undefined
}

export type OwnerFeed = ReturnType<typeof ownerFeed>

/** These callers with their sessions, as the database is asked for them. */
function askedOf(which: readonly Audience[]): AskedOwners {
  const guests: string[] = []
  const sessions = new Map<string, { userId: string; sessionId: string }>()
  for (const { key, guest, streams } of which) {
    if (guest !== null) guests.push(guest)
    else {
      for (const { sessionId } of streams) if (sessionId !== null) sessions.set(sessionId, { userId: key, sessionId })
    }
  }
  return { guests, sessions: [...sessions.values()] }
}

/**
 * Tells a caller's streams what the database says, and ends those of sessions that have ended.
 * @param sessions those that were asked for: of a stream that has opened meanwhile `states` say nothing
 */
function applyStates(
  { audiences, wire }: OwnerFeedDeps,
  audience: Audience,
  sessions: ReadonlySet<string>,
  states: ReadonlyMap<string, OwnerState>,
): void {
  const { guest, streams } = audience
  const [first] = streams
  if (first === undefined) return
  let state = guest === null ? undefined : states.get(guest)
  if (guest === null) {
    for (const stream of streams) {
      const found = states.get(stream.sessionId ?? '')
      if (found !== undefined) state = found
      else if (sessions.has(stream.sessionId ?? '')) wire.end(stream, ENDED_RETRY_MS)
    }
    if (state === undefined) return
  }
  wire.tellRevisions(audience, audiences.learn(audience, state))
}

/** The caller's state as a stream opens; null: the session has ended. */
async function readOpening(
  { pool, audiences, wire }: OwnerFeedDeps,
  audience: Audience,
  sessionId: string | null,
): Promise<OwnerState | null | undefined> {
  const asked =
    audience.guest === null
      ? { guests: [], sessions: [{ userId: audience.key, sessionId: sessionId ?? '' }] }
      : { guests: [audience.guest], sessions: [] }
  for (;;) {
    const state = (await readOwnerStates(pool, asked)).get(sessionId ?? audience.key)
    if (state === undefined && sessionId !== null) return null
    const wasKnown = state === undefined || state.owner === audience.owner
    // Streams that are open already hear of what this read has found.
    wire.tellRevisions(audience, audiences.learn(audience, state))
    // Changes of an owner who was not known reached nobody: what happened since the first read is in the second.
    if (wasKnown) return state
  }
}

/** Tells streams of changes of their owners, as hints of changes or the database itself tell of them. */
export function ownerFeed(deps: OwnerFeedDeps) {
  const { pool, audiences, wire, logger } = deps
  let resolving: NodeJS.Timeout | null = null

  /** Compares these callers, or all, with the database: a lost hint is found, and a stream of an ended session closed. */
  async function compare(which: readonly Audience[]): Promise<void> {
    try {
      const asked = askedOf(which)
      const states = await readOwnerStates(pool, asked)
      const sessions = new Set(asked.sessions.map(({ sessionId }) => sessionId))
      for (const audience of which) applyStates(deps, audience, sessions, states)
    } catch (error) {
      logger?.warn({ err: error }, 'the owners of streams could not be compared with the database')
    }
  }

  async function resolveGuests(): Promise<void> {
    resolving = null
    await compare(audiences.unowned())
  }

  function hearOne(change: Exclude<Change, { kind: 'prices' }>): void {
    const audience = audiences.ofOwner(change.owner)
    if (audience === undefined) {
      // Perhaps the first change of a guest, whose stream knows no owner yet.
      if (change.kind === 'widgets' && resolving === null && audiences.hasUnowned()) {
        resolving = setTimeout(() => void resolveGuests(), RESOLVE_EVERY_MS).unref()
      }
      return
    }
    switch (change.kind) {
      case 'widgets':
        if (change.revision === audience.widgets) return
        // Older: hints have overtaken each other, or a guest's data were removed. The database knows.
        if (change.revision < audience.widgets) return void compare([audience])
        audience.widgets = change.revision
        return wire.broadcast(audience, 'widgets', { revision: change.revision })
      case 'account':
        // A session may have ended with the change: its streams are closed before the others are told.
        return void compare([audience])
      case 'alert':
        return wire.broadcast(audience, 'alert', { event_id: change.eventId })
    }
  }

  return {
    hear: (changes: readonly Change[]): void => {
      for (const change of changes) if (change.kind !== 'prices') hearOne(change)
    },
    compareAll: (): Promise<void> => compare([...audiences.all()]),
    read: (audience: Audience, sessionId: string | null) => readOpening(deps, audience, sessionId),
  }
}
