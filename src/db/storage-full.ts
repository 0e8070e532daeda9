const SENTENCE = 'Storage on this device is full. Free some space and try again.'

const NAME = 'StorageFull'

/** A write that found no room although everything that can be loaded again gave way; `cause` is the browser's refusal. */
export class StorageFull extends Error {
  override readonly name = NAME

  constructor(cause: unknown) {
    super(SENTENCE, { cause })
  }
}

/**
 * Whether a write was refused for want of space. Dexie keeps the reason inside: of a transaction that the browser aborted
 * at its end, of each row of a bulk write.
 */
export function isStorageFull(error: unknown, seen = new Set<unknown>()): boolean {
  if (typeof error !== 'object' || error === null || seen.has(error)) return false
  seen.add(error)
  const { name, inner, cause, failures } = error as {
    readonly name?: unknown
    readonly inner?: unknown
    readonly cause?: unknown
    readonly failures?: unknown
  }
  // Across threads only an error's name is left of its class.
  if (name === 'QuotaExceededError' || name === NAME) return true
  const within = [inner, cause, ...(Array.isArray(failures) ? failures : [])]
  return within.some((one) => isStorageFull(one, seen))
}
