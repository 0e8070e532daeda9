import { randomUUID } from 'node:crypto'
import type { Widget } from '../../../src/contract/widget'
import { type Headers, SAVED_AT } from './person'
import { seedUsers } from './seed-users'
import { type ServerProcess, startServer } from './server-process'
import { newGuest } from './guest'
import type { Checkpoint } from '../../../src/contract/checkpoint'

type SavedCheckpoint = Pick<Checkpoint, 'id' | 'ratio' | 'is_default'>

const savedCheckpoint = ({ id, ratio, is_default }: Checkpoint): SavedCheckpoint => ({ id, ratio, is_default })

/** Most checkpoints that a user of these rounds has. */
const MAX_CHECKPOINTS = 4

/** A change of one widget's checkpoints, with what is saved after its answer. */
function about(
  target: SavedWidget,
  request: Pick<Request, 'method' | 'body'> & { readonly path: string },
  change: (list: readonly SavedCheckpoint[], answer: unknown) => readonly SavedCheckpoint[],
): Request {
  const result = (before: Saved, answer: unknown): Saved =>
    before.map((widget) =>
      widget.id === target.id ? { ...widget, checkpoints: change(widget.checkpoints, answer) } : widget,
    )
  return { ...request, path: `/widgets/${target.id}/checkpoints${request.path}`, op: randomUUID(), result }
}

const asAnswered = (_list: readonly SavedCheckpoint[], answer: unknown) => (answer as Checkpoint[]).map(savedCheckpoint)

function guestsCheckpoint(target: SavedWidget, ratio: number): Request {
  const body = { ratio, timestamp: SAVED_AT }
  return about(target, { method: 'POST', path: '/anonymous', body }, (_, answer) => [
    savedCheckpoint(answer as Checkpoint),
  ])
}

/** One of the calls that only users have. */
function usersCheckpoint(target: SavedWidget, ratio: number, random: () => number): Request {
  const list = target.checkpoints
  const one = list[Math.floor(random() * list.length)]
  const what = random()
  if (one === undefined || (what < 0.5 && list.length < MAX_CHECKPOINTS)) {
    const is_default = random() < 0.5
    return about(
      target,
      { method: 'POST', path: '', body: { ratio, timestamp: SAVED_AT, is_default } },
      (before, answer) => {
        const made = savedCheckpoint(answer as Checkpoint)
        return [...before.map((other) => (made.is_default ? { ...other, is_default: false } : other)), made]
      },
    )
  }
  if (what < 0.6) return about(target, { method: 'DELETE', path: `/${one.id}` }, asAnswered)
  if (what < 0.7) return about(target, { method: 'DELETE', path: '', body: { checkpoint_ids: [one.id] } }, asAnswered)
  if (what < 0.8) return about(target, { method: 'POST', path: `/${one.id}/set-default` }, asAnswered)
  if (what < 0.9) {
    const ordered_ids = list.map(({ id }) => id).toReversed()
    return about(target, { method: 'POST', path: '/reorder', body: { ordered_ids } }, asAnswered)
  }
  return about(target, { method: 'PUT', path: `/${one.id}`, body: { ratio, timestamp: SAVED_AT } }, (before) =>
    before.map((other) => (other.id === one.id ? { ...other, ratio } : other)),
  )
}

export interface KillReport {
  readonly kills: number
  /** Writes that the server acknowledged before it was killed. */
  readonly acknowledged: number
  /** Requests without an answer, each asked again with its key after the restart. */
  readonly askedAgain: number
  /** Writes that were acknowledged and not there afterwards, in words; must be empty. */
  readonly lost: readonly string[]
  /** Longest time from the start of the process until it was ready, on the existing database, milliseconds. */
  readonly slowestRestart: number
}

/** A report, and the server that was started after the last kill, for the caller to end. */
interface KilledServer {
  readonly report: KillReport
  readonly server: ServerProcess
}

interface Options {
  readonly variables: Readonly<Record<string, string>>
  readonly rounds: number
  /** Writes of a round; the kill comes somewhere among them. */
  readonly writes: number
  /** Numbers from 0 (inclusive) to 1. */
  readonly random: () => number
  /** Called with the first server, before the writes begin. */
  readonly before?: (server: ServerProcess) => Promise<void>
  /** Called after each kill, before the next server is started. */
  readonly killed?: () => void
}

interface SavedWidget {
  readonly id: string
  readonly high: number | null
  readonly checkpoints: readonly SavedCheckpoint[]
}
/** Rows that one writer knows to be saved: widgets in their order, each with the values acknowledged last. */
type Saved = readonly SavedWidget[]

interface Request {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly op: string
  /** Rows that are saved once the server has answered. */
  readonly result: (saved: Saved, answer: unknown) => Saved
}

interface Writer {
  readonly kind: 'guest' | 'user'
  readonly identity: Headers
  saved: Saved
  /** Sent, but not answered when the server died. */
  open: Request | null
}

const GUESTS = 4
const USERS = 4
const SECRET = 'a secret that signs the access tokens of tests'
const COINS = ['bitcoin', 'ethereum', 'tether', 'solana', 'ripple', 'dogecoin', 'cardano']

/**
 * Kills the server (SIGKILL) again and again while guests and users write, and looks afterwards whether everything that was
 * acknowledged is there. Requests without an answer are repeated with their keys, as a client would.
 */
export async function killRounds({
  variables: storage,
  rounds,
  writes,
  random,
  before,
  killed,
}: Options): Promise<KilledServer> {
  const variables = { ...storage, JWT_SECRET: SECRET }
  const writers = await newWriters(storage)
  const lost: string[] = []
  let acknowledged = 0
  let askedAgain = 0
  let slowestRestart = 0
  let server = await startServer(variables)
  await before?.(server)
  for (let round = 0; round < rounds; round++) {
    const killAfter = 1 + Math.floor(random() * writes)
    let answered = 0
    const kills: Promise<unknown>[] = []
    const alive = server
    const write = async (writer: Writer) => {
      while (kills.length === 0) {
        writer.open = nextRequest(writer, random)
        if (!(await send(alive, writer))) return
        answered++
        if (answered >= killAfter && kills.length === 0) kills.push(alive.end('SIGKILL'))
      }
    }
    await Promise.all(writers.map(write))
    await Promise.all(kills)
    killed?.()
    acknowledged += answered

    const began = performance.now()
    server = await startServer(variables)
    slowestRestart = Math.max(slowestRestart, performance.now() - began)
    for (const writer of writers) {
      if (writer.open !== null) {
        askedAgain++
        if (!(await send(server, writer))) throw new Error('The restarted server does not answer')
      }
      const there = await read(server, writer)
      if (JSON.stringify(there) !== JSON.stringify(writer.saved)) {
        lost.push(`round ${round}: ${JSON.stringify(writer.saved)} was acknowledged, ${JSON.stringify(there)} is there`)
        writer.saved = there
      }
    }
  }
  const report = { kills: rounds, acknowledged, askedAgain, lost, slowestRestart: Math.round(slowestRestart) }
  return { report, server }
}

async function newWriters({ DATA_DIR = '', DATABASE_URL }: Options['variables']): Promise<Writer[]> {
  const wanted = Array.from({ length: USERS }, () => ({ premium: true }))
  const users = await seedUsers({ dataDir: DATA_DIR, databaseUrl: DATABASE_URL, secret: SECRET }, wanted)
  const nothing = { saved: [], open: null }
  return [
    ...Array.from({ length: GUESTS }, (): Writer => ({
      kind: 'guest',
      identity: { 'x-anonymous-user-id': newGuest() },
      ...nothing,
    })),
    ...users.map(({ accessToken }): Writer => ({
      kind: 'user',
      identity: { authorization: `Bearer ${accessToken}` },
      ...nothing,
    })),
  ]
}

/** Mostly changes of thresholds and, by users, of checkpoints; now and then a widget comes, goes or moves. */
function nextRequest({ kind, saved }: Writer, random: () => number): Request {
  const op = randomUUID()
  const number = 1 + Math.floor(random() * 1e9)
  const target = saved[Math.floor(random() * saved.length)]
  const what = random()
  if (target === undefined || (what < 0.15 && saved.length < 5)) {
    const [coin_a_id, coin_b_id] = newPair(random)
    const result = (before: Saved, answer: unknown): Saved => [
      ...before,
      { id: (answer as Widget).id, high: number, checkpoints: [] },
    ]
    return { method: 'POST', path: '/widgets', body: { coin_a_id, coin_b_id, high_threshold: number }, op, result }
  }
  if (what < 0.22) {
    const result = (before: Saved) => before.filter(({ id }) => id !== target.id)
    return { method: 'DELETE', path: `/widgets/${target.id}`, op, result }
  }
  if (what < 0.3) {
    const ordered_ids = saved.map(({ id }) => id).toReversed()
    const result = (before: Saved) => before.toReversed()
    return { method: 'POST', path: '/widgets/reorder', body: { ordered_ids }, op, result }
  }
  if (what < 0.4) {
    return kind === 'guest' ? guestsCheckpoint(target, number) : usersCheckpoint(target, number, random)
  }
  if (what < 0.7 && kind === 'user') return usersCheckpoint(target, number, random)
  const result = (before: Saved) =>
    before.map((widget) => (widget.id === target.id ? { ...widget, high: number } : widget))
  return { method: 'PUT', path: `/widgets/${target.id}`, body: { high_threshold: number }, op, result }
}

function newPair(random: () => number): readonly [string, string] {
  const a = Math.floor(random() * COINS.length)
  const b = (a + 1 + Math.floor(random() * (COINS.length - 1))) % COINS.length
  return [COINS[a] ?? '', COINS[b] ?? '']
}

/** @returns false when no answer came, because the server is dead */
async function send(server: ServerProcess, writer: Writer): Promise<boolean> {
  const { open } = writer
  if (open === null) return true
  let status: number
  let answer: unknown
  try {
    const response = await fetch(`${server.url}/api/v1${open.path}`, {
      method: open.method,
      headers: {
        ...writer.identity,
        'idempotency-key': open.op,
        ...(open.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(open.body !== undefined && { body: JSON.stringify(open.body) }),
    })
    status = response.status
    answer = status === 204 ? undefined : await response.json()
  } catch {
    return false
  }
  writer.open = null
  // The pair that was drawn is there already: nothing was written.
  if (status === 409) return true
  if (status >= 300) throw new Error(`${open.method} ${open.path}: ${status} ${JSON.stringify(answer)}`)
  writer.saved = open.result(writer.saved, answer)
  return true
}

async function read(server: ServerProcess, writer: Writer): Promise<Saved> {
  const response = await fetch(`${server.url}/api/v1/widgets`, { headers: { ...writer.identity } })
  const widgets = (await response.json()) as Widget[]
  return widgets.map(({ id, high_threshold, checkpoints }) => ({
    id,
    high: high_threshold,
    checkpoints: checkpoints.map(savedCheckpoint),
  }))
}
