/** Milliseconds that a Retry-After asks for, in either of its forms; null where there is none. */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const wait = /^\d+$/.test(value.trim())
    ? Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER)
    : Date.parse(value) - now
  return Number.isFinite(wait) && wait > 0 ? wait : null
}
