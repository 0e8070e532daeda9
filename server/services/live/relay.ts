import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import * as z from 'zod'
import { MINUTE } from '../../../src/domain/granularity'
import { pauseAfter } from '../../../src/domain/waits'
import type { Change } from '../../db/changes'
import type { Database } from '../../db/open'
import type { ServiceDeps } from '../service-deps'
import type { Live } from './live'

/** Changes of other processes come by PostgreSQL's NOTIFY on this channel of the database. */
const CHANNEL = 'live_changes'
/** Changes are gathered for so long, so that a burst is one statement. Milliseconds. */
const GATHER_MS = 5
/** Characters of a payload, ids being ASCII; PostgreSQL takes fewer than 8,000 bytes. */
const MAX_PAYLOAD = 7_500
/** Changes that may wait for a database that does not answer. Beyond that they are left to the comparison. */
const MAX_WAITING = 20_000
/** From one attempt to listen to the next. Milliseconds. */
const RECONNECT_PAUSES = { first: 250, growth: 2, longest: 10_000 }
/** A connection that a network has lost says nothing of it, so it is asked. Milliseconds. */
const PING_EVERY_MS = MINUTE / 2

const heard = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('widgets'), owner: z.uuid(), revision: z.number() }),
  z.object({ kind: z.literal('account'), owner: z.uuid(), revision: z.number() }),
  z.object({ kind: z.literal('alert'), owner: z.uuid(), eventId: z.string() }),
  z.object({ kind: z.literal('prices') }),
  z.object({ kind: z.literal('closes'), coin: z.string() }),
])
const envelope = z.object({ from: z.string(), changes: z.array(z.unknown()) })

interface RelayDeps extends Pick<ServiceDeps, 'logger'> {
  readonly database: Pick<Database, 'pool' | 'changes' | 'separateConnection'>
  /** The streams of this process; null: it has none, and only tells others. */
  readonly live: Pick<Live, 'hear' | 'compare'> | null
}

/**
 * Tells the other processes on this PostgreSQL of committed changes, outside of the changes' transactions: commits with a
 * NOTIFY wait for each other. A lost hint is found by the comparison, which follows each connection that was made anew.
 */
export function startRelay({ database, live, logger }: RelayDeps): { stop(): Promise<void> } {
  const { separateConnection } = database
  if (separateConnection === null) return { stop: async () => undefined }
  const from = randomUUID()
  const stopping = new AbortController()
  const stopNotifying = notifyOthers({ database, logger }, from)
  const listening =
    live === null ? Promise.resolve() : listen(separateConnection, { from, live, logger }, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([stopNotifying(), listening])
    },
  }
}

/** @returns ends it, once what was gathered has been sent */
function notifyOthers({ database, logger }: Omit<RelayDeps, 'live'>, from: string): () => Promise<void> {
  let waiting: string[] = []
  let sending: Promise<void> | null = null

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      await delay(GATHER_MS)
      const told = waiting
      waiting = []
      try {
        const payloads = payloadsOf(from, told)
        await database.pool.query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [
          CHANNEL,
          payloads,
        ])
      } catch (error) {
        logger?.warn({ err: error, changes: told.length }, 'other processes could not be told of changes')
      }
    }
    // Here, and not in `finally` of the promise: a change that came in between would wait for the next one.
    sending = null
  }

  const unsubscribe = database.changes.subscribe((committed) => {
    if (waiting.length + committed.length > MAX_WAITING) return
    for (const change of committed) {
      const text = JSON.stringify(change)
      if (change.kind !== 'prices' || !waiting.includes(text)) waiting.push(text)
    }
    sending ??= send()
  })
  return async () => {
    unsubscribe()
    await sending
  }
}

/** As few texts as possible, each short enough for a notification. */
function payloadsOf(from: string, changes: readonly string[]): string[] {
  const payloads: string[] = []
  let members = ''
  const close = () => payloads.push(`{"from":"${from}","changes":[${members}]}`)
  for (const change of changes) {
    if (members !== '' && members.length + change.length > MAX_PAYLOAD) {
      close()
      members = ''
    }
    members += members === '' ? change : `,${change}`
  }
  if (members !== '') close()
  return payloads
}

interface ListenDeps extends Pick<ServiceDeps, 'logger'> {
  readonly from: string
  readonly live: NonNullable<RelayDeps['live']>
}

/** Listens until `signal` says to stop, on one connection after the other. */
async function listen(
  connect: () => Promise<Client>,
  { from, live, logger }: ListenDeps,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await listenOnce(await connect(), signal, {
        heard: (payload) => {
          const changes = changesOf(payload, from)
          if (changes.length > 0) live.hear(changes)
        },
        began: () => {
          failures = 0
          // Changes from before, while nobody listened.
          void live.compare()
        },
      })
    } catch (error) {
      failures += 1
      logger?.[failures === 1 ? 'warn' : 'debug']({ err: error }, 'changes of other processes cannot be heard')
    }
    await delay(pauseAfter(Math.max(1, failures), RECONNECT_PAUSES), undefined, { signal }).catch(() => undefined)
  }
}

/** Resolves when `signal` says to stop. @throws the reason for which the connection was lost */
async function listenOnce(
  client: Client,
  signal: AbortSignal,
  on: { readonly heard: (payload: string) => void; readonly began: () => void },
): Promise<void> {
  const lost = new Promise<never>((_resolve, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error('the connection was closed')))
  })
  // A connection that is lost while it is being given back has been waited for before.
  lost.catch(() => undefined)
  client.on('notification', ({ payload }) => on.heard(payload ?? ''))
  try {
    await client.connect()
    await Promise.race([client.query(`LISTEN ${CHANNEL}`), lost])
    on.began()
    while (!signal.aborted) {
      const pause = delay(PING_EVERY_MS, undefined, { signal }).catch(() => undefined)
      await Promise.race([pause, lost])
      if (!signal.aborted) await Promise.race([client.query('SELECT 1'), lost])
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Changes that another process tells of; those that this version does not know are left out. */
function changesOf(payload: string, own: string): Change[] {
  let read: unknown
  try {
    read = JSON.parse(payload)
  } catch {
    // Some other program has used the channel.
    return []
  }
  const told = envelope.safeParse(read)
  if (!told.success || told.data.from === own) return []
  return told.data.changes.flatMap((change) => heard.safeParse(change).data ?? [])
}
