import { APIError, CoingeckoError, RateLimitError } from '@coingecko/coingecko-typescript'
import * as z from 'zod'
import { parseRetryAfter } from '../../../../src/domain/retry-after'
import { ProviderError } from '../provider'
import { errorCodeOf } from './answers'

const RATE_LIMITED = 429
/** Where a 429 does not say for how long. */
const USUAL_PAUSE = 60_000
/** Milliseconds. No pause that is asked for is longer here. */
export const LONGEST_PAUSE = 15 * 60_000

/** Milliseconds that a 429 asks for. */
const retryAfter = (headers: Headers | undefined, now: number): number =>
  Math.min(parseRetryAfter(headers?.get('retry-after') ?? null, now) ?? USUAL_PAUSE, LONGEST_PAUSE)

/**
 * Makes one request and reads its answer, within `timeout` milliseconds for head and body together: the SDK's own time
 * limit ends with the head, and a body that never comes would hold the caller for ever.
 * @throws ProviderError always of that kind, whatever went wrong
 */
export async function ask<T>(
  request: (options: { signal: AbortSignal }) => PromiseLike<unknown>,
  read: (answer: unknown) => T,
  { timeout, now }: { timeout: number; now: number },
): Promise<T> {
  const signal = AbortSignal.timeout(timeout)
  let answer: unknown
  try {
    answer = await request({ signal })
    return read(answer)
  } catch (error) {
    if (signal.aborted) {
      throw new ProviderError('unreachable', `CoinGecko did not answer within ${timeout} ms`, { cause: error })
    }
    throw asProviderError(error, answer, now)
  }
}

function asProviderError(error: unknown, answer: unknown, now: number): ProviderError {
  if (error instanceof RateLimitError || errorCodeOf(answer) === RATE_LIMITED) {
    const wait = retryAfter(error instanceof RateLimitError ? error.headers : undefined, now)
    return new ProviderError('rate-limited', `CoinGecko asks for a pause of ${wait} ms`, { retryAfter: wait })
  }
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    return new ProviderError('malformed', "CoinGecko's answer is not what it should be", { cause: error })
  }
  if (error instanceof APIError && error.status !== undefined) {
    return new ProviderError('refused', `CoinGecko answered ${error.status}`, { cause: error })
  }
  // A connection that broke in the body comes as a TypeError of fetch, before it as one of the SDK's own errors.
  if (error instanceof CoingeckoError || error instanceof TypeError) {
    return new ProviderError('unreachable', 'CoinGecko cannot be reached', { cause: error })
  }
  return new ProviderError('malformed', 'CoinGecko could not be asked', { cause: error })
}
