import { PaymentsUnavailable } from '../../adapters/payments/payments'

/** After so many failures in a row the provider is taken to be out of order. */
const ENOUGH = 3

interface Step<T> {
  readonly work: (one: T) => Promise<void>
  /** Is to see to it that the same one does not come first again: what fails for ever must not stand in others' way. */
  readonly failed: (one: T, error: PaymentsUnavailable) => Promise<void>
}

/**
 * Asks the provider about one after the other.
 * @returns false where it is not worth going on: the provider does not answer, or `signal` was aborted
 */
export async function oneByOne<T>(
  all: readonly T[],
  { work, failed }: Step<T>,
  signal?: AbortSignal,
): Promise<boolean> {
  let failures = 0
  for (const one of all) {
    if (signal?.aborted === true || failures === ENOUGH) return false
    try {
      await work(one)
      failures = 0
    } catch (error) {
      if (!(error instanceof PaymentsUnavailable)) throw error
      await failed(one, error)
      failures++
    }
  }
  return failures < ENOUGH
}
