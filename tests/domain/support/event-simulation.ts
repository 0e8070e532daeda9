/*
 * The backtest once more, written another way: a list of events is made first, then two wallets are moved from event to
 * event. It shares no code with src/domain/backtest.ts.
 */

interface Tick {
  readonly time: number
  readonly ratio: number
  readonly sellAt: number
  readonly buyAt: number
}

interface Wallet {
  readonly coin: 'A' | 'B'
  readonly amount: number
}

export interface Simulated {
  readonly swaps: readonly { readonly time: number; readonly to: 'A' | 'B' }[]
  readonly endInA: number
  readonly endInB: number
  readonly holdBInA: number
  readonly waits: readonly number[]
  readonly drawdown: number
}

export function simulateEvents(ticks: readonly Tick[], fee: number): Simulated {
  const events: { readonly tick: Tick; readonly to: 'A' | 'B' }[] = []
  let from = 0
  let side: 'A' | 'B' = 'A'
  for (;;) {
    const wanted: 'A' | 'B' = side
    const next: Tick | undefined = ticks
      .slice(from)
      .find((tick) => (wanted === 'A' ? tick.ratio >= tick.sellAt : tick.ratio <= tick.buyAt))
    if (next === undefined) break
    side = wanted === 'A' ? 'B' : 'A'
    events.push({ tick: next, to: side })
    from = ticks.indexOf(next, from) + 1
  }

  const swapped = (wallet: Wallet, ratio: number): Wallet => {
    const paid = wallet.amount - wallet.amount * fee
    return wallet.coin === 'A' ? { coin: 'B', amount: paid * ratio } : { coin: 'A', amount: paid / ratio }
  }
  const inA = ({ coin, amount }: Wallet, ratio: number) => (coin === 'A' ? amount : amount / ratio)

  let wallet: Wallet = { coin: 'A', amount: 1 }
  const swapTicks = new Set(events.map(({ tick }) => tick))
  const worths = ticks.map((tick) => {
    if (swapTicks.has(tick)) wallet = swapped(wallet, tick.ratio)
    return inA(wallet, tick.ratio)
  })
  const peaks: number[] = []
  for (const worth of worths) peaks.push(Math.max(worth, peaks.at(-1) ?? 0))
  const falls = worths.map((worth, index) => 1 - worth / peaks[index]!)
  const [first, last] = [ticks[0]!, ticks.at(-1)!]
  const moments = events.map(({ tick }) => tick.time)
  return {
    swaps: events.map(({ tick, to }) => ({ time: tick.time, to })),
    endInA: inA(wallet, last.ratio),
    endInB: inA(wallet, last.ratio) * last.ratio,
    holdBInA: first.ratio / last.ratio,
    waits: [first.time, ...moments].map((moment, index) => (moments[index] ?? last.time) - moment),
    drawdown: Math.max(...falls),
  }
}
