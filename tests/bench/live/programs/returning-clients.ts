// Clients that keep a stream each and come back after the pauses of the app: the parent process sends orders, and each is
// answered with a report.
import type { Socket } from 'node:net'
import { FIRST_STREAM, type KeeperEvent, reduceKeeper } from '../../../../src/sync/stream/keeper-state'
import { type AskedStream, beginStream } from './plain-stream'

export type ReturnOrder =
  /** Opens the streams, so many a second; answered at once. */
  | {
      readonly kind: 'keep'
      readonly origin: string
      readonly streams: readonly AskedStream[]
      readonly perSecond: number
    }
  /** Cuts all connections in one moment. */
  | { readonly kind: 'cut' }
  /** Answered with what happened since the last report. */
  | { readonly kind: 'report' }

export interface ReturnReport {
  readonly open: number
  /** Milliseconds since 1970 of each connection that the server took, and of each first event. */
  readonly connected: readonly number[]
  readonly opened: readonly number[]
  readonly refused: number
  /** Tries that met no server. */
  readonly missed: number
}

type Ended = Extract<KeeperEvent, { kind: 'ended' }>

const sockets = new Set<Socket>()
let connected: number[] = []
let opened: number[] = []
let refused = 0
let missed = 0

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

async function keep(origin: URL, asked: AskedStream): Promise<never> {
  let state = FIRST_STREAM
  let lastId = ''
  const ended = (end: Ended['end'], lasted = 0): Ended => ({
    kind: 'ended',
    end,
    lasted,
    isReached: false,
    random: Math.random(),
  })
  for (;;) {
    const headers = { ...asked.headers, ...(lastId !== '' && { 'last-event-id': lastId }) }
    const begun = await beginStream(origin, { path: asked.path, headers }).catch(() => null)
    if (begun === null) missed += 1
    else connected.push(Date.now())
    if (begun?.kind === 'open') {
      const since = Date.now()
      opened.push(since)
      const { retry, id } = await untilEnd(begun.socket, begun.head)
      lastId = id || lastId
      const end = retry === null ? ({ kind: 'broken' } as const) : ({ kind: 'bye', retry } as const)
      state = reduceKeeper(state, ended(end, Date.now() - since))
    } else {
      if (begun !== null) refused += 1
      state = reduceKeeper(state, ended({ kind: 'failed', retryAfter: 1000 * (begun?.seconds ?? 0), silent: false }))
    }
    if (state.kind === 'pausing') await pause(state.wait)
    state = reduceKeeper(state, { kind: 'pause-over' })
  }
}

/** @returns the milliseconds of a `bye`; null without one */
const untilEnd = (socket: Socket, head: string) =>
  new Promise<{ readonly retry: number | null; readonly id: string }>((resolve) => {
    let retry: number | null = null
    let id = ''
    const read = (text: string) => {
      id = [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? id
      const told = /"retry":(\d+)/.exec(text)?.[1]
      if (told !== undefined) retry = Number(told)
    }
    read(head)
    sockets.add(socket)
    socket.on('data', (chunk) => read(chunk.toString('latin1')))
    // The server's part ends, and this one with it.
    socket.on('close', () => {
      sockets.delete(socket)
      resolve({ retry, id })
    })
  })

async function keepAll({ origin, streams, perSecond }: Extract<ReturnOrder, { kind: 'keep' }>): Promise<void> {
  const begun = performance.now()
  for (const [index, stream] of streams.entries()) {
    const early = begun + (index * 1000) / perSecond - performance.now()
    if (early > 5) await pause(early)
    void keep(new URL(origin), stream)
  }
}

function report(): ReturnReport {
  const made = { open: sockets.size, connected, opened, refused, missed }
  connected = []
  opened = []
  refused = 0
  missed = 0
  return made
}

process.on('message', (order: ReturnOrder) => {
  const answer = report()
  if (order.kind === 'keep') void keepAll(order)
  if (order.kind === 'cut') for (const socket of sockets) socket.destroy()
  process.send?.(answer)
})
