/** Milliseconds that a Retry-After asks for, in either of its forms; null where there is none. */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const wait = /^\d+$/.test(value.trim())
    ? Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER)
    : Date.parse(value) - now
  return Number.isFinite(wait) && wait > 0 ? wait : null
}

/** Runs `run` after `ms` milliseconds, unless the returned function is called before. */
export type Timer = (ms: number, run: () => void) => () => void

const LATE = Symbol('late')

/** The result of `work`, or of `onLate` (which may throw) after `ms` milliseconds; `work` goes on all the same. */
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

/** Milliseconds. */
export interface RetryPauses {
  readonly first: number
  /** Factor from one pause to the next. */
  readonly growth: number
  readonly longest: number
}

/** @param failures in a row, at least 1 */
export const pauseAfter = (failures: number, { first, growth, longest }: RetryPauses): number =>
  Math.min(longest, first * growth ** (failures - 1))

/** True from `at` on, milliseconds. A time more than `longest` ahead is due too: it was written while the clock was wrong. */
export const isDue = (at: number, now: number, longest: number): boolean => at <= now || at > now + longest
