/** Work under way in real time (database requests, the server's work), so that virtual time waits for it. */
export interface Activity {
  /** Rises with everything that is begun or ended. */
  readonly moves: () => number
  /** Begins work; the returned function ends it. */
  readonly begin: () => () => void
  readonly track: <T>(work: PromiseLike<T>) => PromiseLike<T>
  /** Resolves when nothing has moved for several turns of the event loop. */
  readonly idle: () => Promise<void>
}

/** Turns of the event loop that must pass quietly; an IndexedDB transaction needs three between two requests. */
const QUIET_TURNS = 8

/** @param isBusy true while others work for whom nothing is tracked */
export function createActivity(isBusy = (): boolean => false): Activity {
  let running = 0
  let moves = 0
  const end = (): void => {
    running--
    moves++
  }
  const begin = (): (() => void) => {
    running++
    moves++
    return end
  }
  return {
    moves: () => moves,
    begin,
    track(work) {
      begin()
      work.then(end, end)
      return work
    },
    async idle() {
      for (let quiet = 0, seen = moves; quiet < QUIET_TURNS;) {
        await new Promise((resolve) => setImmediate(resolve))
        quiet = running === 0 && moves === seen && !isBusy() ? quiet + 1 : 0
        seen = moves
      }
    },
  }
}
