import type { TapedWidget, TapeStep } from './alert-tape'

/** Rows that must stand in the database after a tape, as lines of text. */
export interface Expected {
  /** time, widget, side, epoch, ratio, threshold and when it came back, of every crossing, in order of time, widget and side. */
  readonly events: readonly string[]
  /** Flags and epochs of each widget. */
  readonly flags: readonly string[]
}

interface Side {
  on: boolean
  epoch: number
  /** The latest crossing. */
  event: (string | number)[] | null
}

interface Known {
  readonly usd: number
  readonly at: number
  readonly seen: number
}

const TEN_MINUTES = 10 * 60_000

/** The rule once more, from the specification and without the program: every widget is looked at after every update. */
export function expectedAlerts(widgets: readonly TapedWidget[], steps: readonly TapeStep[]): Expected {
  const known = new Map<string, Known>()
  const armed = (): Side => ({ on: true, epoch: 0, event: null })
  const sides = widgets.map(() => ({ high: armed(), low: armed() }))
  const events: (string | number)[][] = []
  for (const { now, answer } of steps) {
    for (const [coin, entry] of Object.entries(answer)) {
      const { usd, last_updated_at: seconds } = entry as { usd: unknown; last_updated_at: number | null }
      if (typeof usd !== 'number' || !(usd >= 0 && usd < Infinity)) continue
      const at = seconds === null ? now : Math.min(now, seconds * 1000)
      const before = known.get(coin)
      if (before === undefined || before.at <= at) known.set(coin, { usd, at, seen: now })
    }
    const fresh = (coin: string): number => {
      const price = known.get(coin)
      return price !== undefined && now - price.at <= TEN_MINUTES && now - price.seen <= TEN_MINUTES ? price.usd : NaN
    }
    for (const [index, widget] of widgets.entries()) {
      const ratio = fresh(widget.coin_a_id) / fresh(widget.coin_b_id)
      if (!(ratio >= 0 && ratio < Infinity)) continue
      for (const side of ['high', 'low'] as const) {
        const threshold = widget[`${side}_threshold`]
        if (threshold === null) continue
        const state = sides[index]![side]
        const crossed = side === 'high' ? ratio > threshold : ratio < threshold
        if (crossed && state.on) {
          state.event = [now, index, side, state.epoch, ratio, threshold]
          events.push(state.event)
        }
        if (!crossed && !state.on) {
          state.epoch++
          state.event?.push(now)
        }
        state.on = !crossed
      }
    }
  }
  const lines = events.map((event) => event.join(' '))
  return { events: lines, flags: sides.map(({ high, low }) => [high.on, high.epoch, low.on, low.epoch].join(' ')) }
}
