/** Milliseconds that a Retry-After asks for, in either of its forms; null where there is none. */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(wait) && wait > 0 ? wait : null
}
