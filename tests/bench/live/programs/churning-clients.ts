// Clients that open streams and cut them after a moment, at any point of their life: the parent process sends an order, which
// is answered when its time is over and no stream is left.
import type { Socket } from 'node:net'
import { beginStream } from './plain-stream'

export interface ChurnOrder {
  readonly origin: string
  /** Each stream is of one of them, and asks for some of the coins. */
  readonly owners: readonly Readonly<Record<string, string>>[]
  readonly coins: readonly string[]
  readonly perSecond: number
  readonly seconds: number
}

export interface ChurnReport {
  readonly opened: number
  readonly refused: number
  /** The connection ended before the first event. */
  readonly failed: number
}

/** Milliseconds that a stream lasts at most. */
const LONGEST_LIFE = 4_000
/** Of the coins, those that a stream asks for at most. */
const MOST_COINS = 12

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))
const someOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

async function churn({ origin, owners, coins, perSecond, seconds }: ChurnOrder): Promise<ChurnReport> {
  const url = new URL(origin)
  let [opened, refused, failed] = [0, 0, 0]
  const life = async () => {
    const asked = new Set(Array.from({ length: Math.ceil(Math.random() * MOST_COINS) }, () => someOf(coins)))
    const stream = { path: `/api/v1/stream?coins=${[...asked].toSorted().join(',')}`, headers: someOf(owners) }
    const begun = await beginStream(url, stream).catch(() => null)
    if (begun === null) failed += 1
    else if (begun.kind === 'refused') refused += 1
    else {
      opened += 1
      begun.socket.resume()
      await pause(Math.random() ** 3 * LONGEST_LIFE)
      await cut(begun.socket)
    }
  }
  const lives: Promise<void>[] = []
  const begun = performance.now()
  for (let number = 0; performance.now() - begun < seconds * 1000; number += 1) {
    lives.push(life())
    const early = begun + (number * 1000) / perSecond - performance.now()
    if (early > 5) await pause(early)
  }
  await Promise.all(lives)
  return { opened, refused, failed }
}

const cut = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    // Half of them take their leave, the others vanish.
    if (Math.random() < 0.5) socket.destroy()
    else socket.resetAndDestroy()
  })

process.on('message', (order: ChurnOrder) => {
  void churn(order).then((report) => process.send?.(report))
})
