/** Milliseconds that a Retry-After asks for, in either of its forms; null where there is none. */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const wait = /^\d+$/.test(value.trim())
    ? Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER)
    : Date.parse(value) - now
  return Number.isFinite(wait) && wait > 0 ? wait : null
}

/* Time limits and pauses of every side. Times are milliseconds. */

/** Runs `run` after `ms` unless the function that it returns is called before. */
export type Timer = (ms: number, run: () => void) => () => void

const LATE = Symbol('late')

/** The result of `work`, or of `onLate` (which may throw) once `ms` have passed: `work` goes on all the same. */
export async function withTimeLimit<T, L>(timer: Timer, ms: number, work: Promise<T>, onLate: () => L): Promise<T | L> {
  let cancel: () => void = () => undefined
  const late = new Promise<typeof LATE>((resolve) => {
    cancel = timer(ms, () => resolve(LATE))
  })
  try {
    const first = await Promise.race([work, late])
    return first === LATE ? onLate() : first
  } finally {
    cancel()
  }
}

export interface RetryPauses {
  readonly first: number
  /** How many times longer each further pause is. */
  readonly growth: number
  readonly longest: number
}

/** @param failures in a row, at least 1 */
export const pauseAfter = (failures: number, { first, growth, longest }: RetryPauses): number =>
  Math.min(longest, first * growth ** (failures - 1))

/**
 * True once `at` has come. A time more than `longest` ahead counts as come: it was written while the clock was wrong.
 * @param longest no wait is longer
 */
export const isDue = (at: number, now: number, longest: number): boolean => at <= now || at > now + longest
