import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Change } from '../../db/changes'
import type { Audiences, OwnerState } from './audiences'
import type { Audience } from './live-stream'
import type { Wire } from './wire'

/** Milliseconds over which the client of an ended session spreads its next try, which is answered 401. */
const ENDED_RETRY_MS = 1_000
/** From one search for guests who have become owners to the next, milliseconds. */
const RESOLVE_EVERY_MS = 100
/** Callers who are compared at each look whatever their revisions say: an owner who is gone has none. */
const IN_TURN = 500

type OwnersChange = Extract<Change, { readonly owner: string }>

interface OwnerFeedDeps {
  readonly pool: Pool
  readonly audiences: Audiences
  readonly wire: Pick<Wire, 'tellRevisions' | 'broadcast' | 'end'>
  readonly logger?: FastifyBaseLogger | undefined
  /** For tests. */
  readonly inTurn?: number
}

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

/** Compares these callers with the database: a lost hint is found, and a stream of an ended session closed. */
async function compareNow(deps: OwnerFeedDeps, which: readonly Audience[]): Promise<void> {
  const asked = askedOf(which)
  const states = await readOwnerStates(deps.pool, asked)
  const sessions = new Set(asked.sessions.map(({ sessionId }) => sessionId))
  for (const audience of which) applyStates(deps, audience, sessions, states)
}

/** Compares the callers whose revisions have risen since the last look, and of the others some in their turn. */
function looksOf(deps: OwnerFeedDeps): () => Promise<void> {
  const { pool, audiences, inTurn = IN_TURN } = deps
  /** From where the next look goes on: in the database's transactions, and among the callers. */
  let since: number | null = null
  let turn = 0
  return async () => {
    const { risen, next } = await readRisen(pool, since, [...audiences.all()].length)
    // Those of now: whoever has come since the statement began was read after it, or is among them.
    const all = [...audiences.all()]
    const behind = risen === null ? all : risen.flatMap((row) => isBehind(audiences, row) ?? [])
    if (turn >= all.length) turn = 0
    await compareNow(deps, [...new Set([...behind, ...all.slice(turn, turn + inTurn)])])
    turn += inTurn
    // A look that fails, or finds a caller who could not be told yet, leaves it to the next one.
    if (behind.every(({ streams }) => streams.size > 0)) since = next
  }
}

/** Tells streams of changes of their owners, as hints of changes or the database itself tell of them. */
export function ownerFeed(deps: OwnerFeedDeps) {
  const { audiences, wire, logger } = deps
  const look = looksOf(deps)
  let resolving: NodeJS.Timeout | null = null

  async function logged(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      logger?.warn({ err: error }, 'the owners of streams could not be compared with the database')
    }
  }
  const compare = (which: readonly Audience[]): Promise<void> => logged(compareNow(deps, which))

  async function resolveGuests(): Promise<void> {
    resolving = null
    await compare(audiences.unowned())
  }

  function hearOne(change: OwnersChange): void {
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
      for (const change of changes) if ('owner' in change) hearOne(change)
    },
    /** Finds what no hint has told of. */
    look: (): Promise<void> => logged(look()),
    read: (audience: Audience, sessionId: string | null) => readOpening(deps, audience, sessionId),
  }
}

/** Callers whose state is asked for: guests by the hash of their id, users by their session. */
interface AskedOwners {
  readonly guests: readonly string[]
  readonly sessions: readonly { readonly userId: string; readonly sessionId: string }[]
}

/** Callers of one statement. */
const CHUNK = 5_000

/**
 * Owners and revisions, by the guest's hash or the session's id. A guest who never changed anything is missing, and so is a
 * session that has ended or whose account is disabled or gone.
 */
async function readOwnerStates(
  pool: Pool,
  { guests, sessions }: AskedOwners,
): Promise<ReadonlyMap<string, OwnerState>> {
  const found = new Map<string, OwnerState>()
  for (let from = 0; from < Math.max(guests.length, sessions.length); from += CHUNK) {
    const some = sessions.slice(from, from + CHUNK)
    const { rows } = await pool.query<{ key: string; owner: string; widgets: number; account: number }>(
      `SELECT asked.key, asked.owner, COALESCE(r.widgets, 0)::float8 AS widgets, COALESCE(r.account, 0)::float8 AS account
       FROM (
         SELECT o.anonymous_hash AS key, o.id AS owner FROM owners o WHERE o.anonymous_hash = ANY ($1::text[])
         UNION ALL
         SELECT s.id::text, u.id FROM unnest($2::uuid[], $3::uuid[]) AS g (user_id, session_id)
         JOIN sessions s ON s.id = g.session_id AND s.user_id = g.user_id
         JOIN users u ON u.id = s.user_id AND u.is_active
       ) AS asked LEFT JOIN owner_revisions r ON r.owner_id = asked.owner`,
      [guests.slice(from, from + CHUNK), some.map(({ userId }) => userId), some.map(({ sessionId }) => sessionId)],
    )
    for (const { key, owner, widgets, account } of rows) found.set(key, { owner, widgets, account })
  }
  return found
}

interface RisenRow extends OwnerState {
  /** Null: a user. */
  readonly guest: string | null
}

/** The caller with streams whom a row says something new of. */
function isBehind(audiences: Audiences, { owner, guest, widgets, account }: RisenRow): Audience | null {
  const audience = audiences.ofOwner(owner, guest ?? undefined)
  if (audience === undefined) return null
  return audience.owner === owner && widgets <= audience.widgets && account <= audience.account ? null : audience
}

/**
 * Owners whose revisions were written by transactions that were not over when `since` was read. Transactions become visible in
 * another order than that of their ids: all below the snapshot's xmin were over, and whoever comes later has a greater id.
 * @param most rows beyond which it is cheaper to compare every caller
 * @returns `risen` of null: every caller is to be compared; `next`: the `since` of the next look
 */
async function readRisen(
  pool: Pool,
  since: number | null,
  most: number,
): Promise<{ readonly risen: readonly RisenRow[] | null; readonly next: number }> {
  const { rows } = await pool.query<RisenRow & { readonly next: number; readonly owner: string | null }>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot())::text::float8 AS next, risen.*
     FROM (SELECT) one LEFT JOIN LATERAL (
       SELECT r.owner_id AS owner, o.anonymous_hash AS guest, r.widgets::float8 AS widgets, r.account::float8 AS account
       FROM owner_revisions r JOIN owners o ON o.id = r.owner_id
       WHERE r.changed_in > 0 AND r.changed_in >= $1::bigint AND r.changed_in < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
       LIMIT $2
     ) risen ON true`,
    [since ?? Number.MAX_SAFE_INTEGER, most + 1],
  )
  const { next } = rows[0]!
  const risen = rows.filter(({ owner }) => owner !== null)
  // Of a server that was restored from before, or took the place of one that had gone further, the ids say nothing.
  return { risen: since === null || next < since || risen.length > most ? null : risen, next }
}
