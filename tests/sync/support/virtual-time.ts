/** A clock that stands still until a test moves it, and the timers that hang on it. */
export interface VirtualTime {
  /** Milliseconds since 1970, true time; a device's own clock may be wrong. */
  readonly now: () => number
  /** Calls back after so many milliseconds unless the returned function is called before. */
  readonly timer: (ms: number, run: () => void) => () => void
  readonly sleep: (ms: number) => Promise<void>
  /** Milliseconds of the next timer; null: there is none. */
  readonly next: () => number | null
  /** Moves to a time and runs the timers of exactly that time. */
  readonly moveTo: (time: number) => void
}

export function virtualTime(start: number): VirtualTime {
  let time = start
  let count = 0
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>()
  const timer = (ms: number, run: () => void): (() => void) => {
    const id = count++
    timers.set(id, { at: time + Math.max(0, ms), run })
    return () => void timers.delete(id)
  }
  return {
    now: () => time,
    timer,
    sleep: (ms) => new Promise((resolve) => void timer(ms, resolve)),
    next: () => (timers.size === 0 ? null : Math.min(...[...timers.values()].map(({ at }) => at))),
    moveTo(target) {
      time = Math.max(time, target)
      for (const [id, { at, run }] of timers) {
        if (at > time) continue
        timers.delete(id)
        run()
      }
    },
  }
}
