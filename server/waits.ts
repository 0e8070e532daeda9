import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { isDue, type Timer } from '../src/domain/waits'

/**
 * The SQL of `isDue` (src/domain/waits.ts): true once the column's time has come, or where it lies more than `longest` ahead
 * and was thus written while the clock was wrong. Null where the column is null.
 * @param longest milliseconds: no wait is longer
 */
export const isDueInSql = (column: SQLWrapper, now: number, longest: number): SQL =>
  sql`(${column} <= ${new Date(now)} OR ${column} > ${new Date(now + longest)})`

/** Keeps no process running by itself. */
export const nodeTimer: Timer = (ms, run) => {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}

/** Lets one loop wait for its time or for `notify`, whichever is first. A `notify` that finds it not waiting ends its next wait. */
export function createWakeup(): { readonly notify: () => void; readonly wait: (ms: number) => Promise<void> } {
  let notified = false
  let end: (() => void) | null = null
  const notify = () => {
    notified = true
    end?.()
  }
  const wait = async (ms: number) => {
    let timer: NodeJS.Timeout | undefined
    if (!notified)
      await new Promise<void>((resolve) => {
        end = resolve
        timer = setTimeout(resolve, ms)
      })
    clearTimeout(timer)
    end = null
    notified = false
  }
  return { notify, wait }
}

/**
 * Reads once for all who ask within `trust` milliseconds. A failure reaches those who wait and is not kept; neither is a
 * value that `isKept` refuses.
 */
export function shareReads<T>(
  read: (now: number) => Promise<T>,
  trust: number,
  clock: () => number,
  isKept: (value: T) => boolean = () => true,
): { readonly get: () => Promise<T>; readonly forget: () => void } {
  let shared: { readonly at: number; readonly value: Promise<T> } | null = null
  return {
    get: () => {
      const now = clock()
      if (shared !== null && Math.abs(now - shared.at) <= trust) return shared.value
      const mine = { at: now, value: read(now) }
      shared = mine
      const drop = () => {
        if (shared === mine) shared = null
      }
      mine.value.then((value) => isKept(value) || drop(), drop)
      return mine.value
    },
    forget: () => {
      shared = null
    },
  }
}

/** Derives a value anew only where one of the inputs is another than the last time. */
export function latestOf<A extends readonly unknown[], T>(derive: (...inputs: A) => T): (...inputs: A) => T {
  let last: { readonly inputs: A; readonly value: T } | null = null
  return (...inputs) => {
    if (last === null || inputs.some((input, i) => input !== last?.inputs[i]))
      last = { inputs, value: derive(...inputs) }
    return last.value
  }
}

/** More keys than there are good ones: a caller that invents others must not fill our memory. */
const MAX_KEYS = 1_000

/**
 * Makes something for a key, and gives the same again until its time is over. A promise that rejects is not kept.
 * @param lifetime milliseconds
 */
export function remember<T>(
  lifetime: number,
  clock: () => number,
  make: (key: string) => T,
  most = MAX_KEYS,
): (key: string) => T {
  const kept = new Map<string, { readonly value: T; readonly until: number }>()
  return (key) => {
    const now = clock()
    const known = kept.get(key)
    if (known !== undefined && !isDue(known.until, now, lifetime)) return known.value
    if (kept.size >= most) kept.clear()
    const value = make(key)
    kept.set(key, { value, until: now + lifetime })
    if (value instanceof Promise) value.catch(() => kept.delete(key))
    return value
  }
}

export interface WaitingTask {
  readonly begin: () => void
  readonly refuse: (error: Error) => void
}

/** The tasks that wait for their turn. */
export interface WaitingLine {
  /** @throws to refuse the task; one that waits already is refused by its own `refuse` */
  join(task: WaitingTask): void
  /** Takes the task whose turn it is out of the line; undefined: none waits. */
  next(): WaitingTask | undefined
}

function inOrder(): WaitingLine {
  const tasks: WaitingTask[] = []
  return { join: (task) => void tasks.push(task), next: () => tasks.shift() }
}

/** Lets at most `width` of the given tasks run at the same time; the others wait in `line`, by default in order. */
export function limitConcurrency(width: number, line = inOrder()): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0
  return async (task) => {
    if (running < width) running += 1
    else await new Promise<void>((begin, refuse) => line.join({ begin, refuse }))
    try {
      return await task()
    } finally {
      // The place is handed over as it is: no task that comes in between can take it.
      const next = line.next()
      if (next === undefined) running -= 1
      else next.begin()
    }
  }
}

/**
 * Runs `round` in fixed steps, one at a time: a step that finds one under way is left out.
 * @param step milliseconds
 * @param round is to end soon once `stopped` says so
 * @param failed called with the error of each round that failed; the next one comes all the same
 * @returns `stop`: no further round begins; waits for the round that is under way
 */
export function startRounds(
  step: number,
  round: (stopped: () => boolean) => Promise<void>,
  failed: (error: unknown) => void,
): { stop(): Promise<void> } {
  let stopped = false
  let underWay: Promise<void> | null = null
  const timer = setInterval(() => {
    underWay ??= round(() => stopped)
      .catch(failed)
      .finally(() => {
        underWay = null
      })
  }, step)
  return {
    stop: async () => {
      clearInterval(timer)
      stopped = true
      await underWay
    },
  }
}

/** Longest pause between two looks into a queue: for what another process has put there. Milliseconds. */
const LONGEST_LOOK_PAUSE = 5_000

/**
 * Runs `round` again and again: when it has said that something will be due, at once after `notify`, and every few seconds.
 * @param step milliseconds: the shortest pause, unless `notify` ends it
 * @param round gives the milliseconds until something is due; is to end soon once `stopped` says so
 * @param failed called with the error of each round that failed; the next one comes after a step
 * @returns `stop`: no further round begins; waits for the round that is under way
 */
export function startQueueRounds(
  step: number,
  round: (stopped: () => boolean) => Promise<number>,
  failed: (error: unknown) => void,
): { readonly notify: () => void; stop(): Promise<void> } {
  const wakeup = createWakeup()
  let stopped = false
  const hasStopped = () => stopped
  const run = async () => {
    while (!hasStopped()) {
      let pause = step
      try {
        pause = await round(hasStopped)
      } catch (error) {
        failed(error)
      }
      if (!hasStopped()) await wakeup.wait(Math.min(Math.max(pause, step), LONGEST_LOOK_PAUSE))
    }
  }
  const running = run()
  return {
    notify: wakeup.notify,
    stop: async () => {
      stopped = true
      wakeup.notify()
      await running
    },
  }
}
