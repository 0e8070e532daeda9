import { randomUUID } from 'node:crypto'
import type { Checkpoint } from '../../../src/contract/checkpoint'
import type { Widget } from '../../../src/contract/widget'
import { newGuest } from './test-app'
import { type ServerProcess, startServer } from './server-process'

export interface KillReport {
  readonly kills: number
  /** Writes that the server acknowledged before it was killed. */
  readonly acknowledged: number
  /** Requests without an answer, each asked again with its key after the restart. */
  readonly askedAgain: number
  /** What was acknowledged and not there afterwards, in words; must be empty. */
  readonly lost: readonly string[]
  /** Longest time from the start of the process until it was ready, on the existing database, milliseconds. */
  readonly slowestRestart: number
}

interface Options {
  readonly variables: Readonly<Record<string, string>>
  readonly rounds: number
  /** Writes of a round; the kill comes somewhere among them. */
  readonly writes: number
  /** Numbers from 0 (inclusive) to 1. */
  readonly random: () => number
}

/** What one guest knows to be saved: widgets in their order, each with what was acknowledged last. */
type Saved = readonly { readonly id: string; readonly high: number | null; readonly checkpoint: number | null }[]

interface Request {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly op: string
  /** What is saved once it has been answered. */
  readonly result: (saved: Saved, answer: unknown) => Saved
}

interface Writer {
  readonly id: string
  saved: Saved
  /** Sent, but not answered when the server died. */
  open: Request | null
}

const WRITERS = 8
const COINS = ['bitcoin', 'ethereum', 'tether', 'solana', 'ripple', 'dogecoin', 'cardano']

/**
 * Kills the server (SIGKILL) again and again while guests write, and looks afterwards whether everything that was
 * acknowledged is there. Requests without an answer are repeated with their keys, as a client would.
 */
export async function killRounds({ variables, rounds, writes, random }: Options): Promise<KillReport> {
  const writers = Array.from({ length: WRITERS }, (): Writer => ({ id: newGuest(), saved: [], open: null }))
  const lost: string[] = []
  let acknowledged = 0
  let askedAgain = 0
  let slowestRestart = 0
  let server = await startServer(variables)
  for (let round = 0; round < rounds; round++) {
    const killAfter = 1 + Math.floor(random() * writes)
    let answered = 0
    const kills: Promise<unknown>[] = []
    const alive = server
    const write = async (writer: Writer) => {
      while (kills.length === 0) {
        writer.open = nextRequest(writer.saved, random)
        if (!(await send(alive, writer))) return
        answered++
        if (answered >= killAfter && kills.length === 0) kills.push(alive.end('SIGKILL'))
      }
    }
    await Promise.all(writers.map(write))
    await Promise.all(kills)
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
  await server.end('SIGTERM')
  return { kills: rounds, acknowledged, askedAgain, lost, slowestRestart: Math.round(slowestRestart) }
}

/** Mostly changes of thresholds; now and then a widget comes, goes or moves, or a checkpoint is saved. */
function nextRequest(saved: Saved, random: () => number): Request {
  const op = randomUUID()
  const number = 1 + Math.floor(random() * 1e9)
  const target = saved[Math.floor(random() * saved.length)]
  const what = random()
  if (target === undefined || (what < 0.15 && saved.length < 5)) {
    const [coin_a_id, coin_b_id] = newPair(random)
    const result = (before: Saved, answer: unknown): Saved => [...before, { id: (answer as Widget).id, high: number, checkpoint: null }] // prettier-ignore
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
    const body = { ratio: number, timestamp: '2026-01-15T12:00:00Z' }
    const result = (before: Saved, answer: unknown) => before.map((widget) => (widget.id === target.id ? { ...widget, checkpoint: (answer as Checkpoint).ratio } : widget)) // prettier-ignore
    return { method: 'POST', path: `/widgets/${target.id}/checkpoints/anonymous`, body, op, result }
  }
  const result = (before: Saved) => before.map((widget) => (widget.id === target.id ? { ...widget, high: number } : widget)) // prettier-ignore
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
        'x-anonymous-user-id': writer.id,
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
  const response = await fetch(`${server.url}/api/v1/widgets`, { headers: { 'x-anonymous-user-id': writer.id } })
  const widgets = (await response.json()) as Widget[]
  return widgets.map(({ id, high_threshold, checkpoints }) => ({ id, high: high_threshold, checkpoint: checkpoints[0]?.ratio ?? null })) // prettier-ignore
}
