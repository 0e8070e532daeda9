/**
 * The innermost error. Of an error only name, message and stack reach the page, and a transaction that failed for want of
 * space calls itself "AbortError" and keeps the reason inside.
 */
export function rootCause(error: unknown): Error {
  let innermost: unknown = error
  const seen = new Set<unknown>()
  while (innermost instanceof Error && !seen.has(innermost)) {
    seen.add(innermost)
    const inner = (innermost as Error & { readonly inner?: unknown }).inner ?? innermost.cause
    if (!(inner instanceof Error)) return innermost
    innermost = inner
  }
  return innermost instanceof Error ? innermost : new Error(String(innermost))
}
