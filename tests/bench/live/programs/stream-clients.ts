// Holds open streams by plain sockets, and counts what comes: the parent process sends orders, and each is answered with a
// report. A client that read all events as the app does would cost more than the server that is measured.
import type { Socket } from 'node:net'
import { type AskedStream, beginStream } from './plain-stream'

export type ClientOrder =
  /** Opens streams, so many a second; answered when each has had its first event. Refused ones try again. */
  | {
      readonly kind: 'open'
      readonly origin: string
      readonly streams: readonly AskedStream[]
      readonly perSecond: number
    }
  /** Answered with what came since the last report. */
  | { readonly kind: 'report' }
  /** Destroys so many of the streams. */
  | { readonly kind: 'drop'; readonly count: number }

export interface ClientReport {
  readonly open: number
  /** Events with prices since the last report, bytes of all events, and streams that the server ended. */
  readonly prices: number
  readonly bytes: number
  readonly ended: number
  /** Answers that were no 200, by status. */
  readonly refused: Readonly<Record<string, number>>
  /** Milliseconds from the time in an event with prices to its arrival: the half, 99 of 100, and the longest. */
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number }
}

const PRICES = 'event: prices\n'
const sockets = new Set<Socket>()
let prices = 0
let bytes = 0
let ended = 0
let refused: Record<string, number> = {}
let delays: number[] = []

async function openOne(origin: URL, stream: AskedStream): Promise<boolean> {
  const begun = await beginStream(origin, stream)
  if (begun.kind === 'refused') {
    refused[begun.status] = (refused[begun.status] ?? 0) + 1
    return false
  }
  const { socket } = begun
  sockets.add(socket)
  socket.on('data', (chunk) => {
    bytes += chunk.length
    const at = chunk.indexOf(PRICES)
    if (at < 0) return
    prices += 1
    // One in a hundred is read, so that reading does not delay the others.
    if (prices % 100 !== 0) return
    const sent = /"now":(\d+)/.exec(chunk.toString('latin1', at))?.[1]
    if (sent !== undefined) delays.push(Date.now() - Number(sent))
  })
  socket.on('close', () => {
    if (sockets.delete(socket)) ended += 1
  })
  return true
}

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

async function open({ origin, streams, perSecond }: Extract<ClientOrder, { kind: 'open' }>): Promise<void> {
  const url = new URL(origin)
  const until = async (stream: (typeof streams)[number]) => {
    while (!(await openOne(url, stream))) await pause(1000)
  }
  const opening: Promise<void>[] = []
  const begun = performance.now()
  for (const [index, stream] of streams.entries()) {
    const early = begun + (index * 1000) / perSecond - performance.now()
    if (early > 5) await pause(early)
    opening.push(until(stream))
  }
  await Promise.all(opening)
}

function report(): ClientReport {
  const sorted = delays.toSorted((one, other) => one - other)
  const delay = {
    p50: sorted[Math.floor(sorted.length / 2)] ?? NaN,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? NaN,
    max: sorted.at(-1) ?? NaN,
  }
  const made = { open: sockets.size, prices, bytes, ended, refused, delay }
  prices = 0
  bytes = 0
  ended = 0
  refused = {}
  delays = []
  return made
}

process.on('message', (order: ClientOrder) => {
  const act = async () => {
    if (order.kind === 'open') await open(order)
    if (order.kind === 'drop') {
      for (const socket of [...sockets].slice(0, order.count)) {
        sockets.delete(socket)
        socket.destroy()
      }
    }
    process.send?.(report())
  }
  act().catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})
