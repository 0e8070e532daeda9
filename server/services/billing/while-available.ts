import type { FastifyBaseLogger } from 'fastify'
import { type Payments, PaymentsUnavailable } from '../../adapters/payments/payments'
import { ApiError } from '../../api-error'

const UNAVAILABLE = 'Payment processing is currently unavailable.'

/** Milliseconds. Several calls that are each answered late may last longer than the request, which has 20 s. */
const PATIENCE = 18_000

interface Parts {
  readonly payments: Payments | null
  readonly logger?: FastifyBaseLogger | undefined
}

/**
 * Does what needs the payment provider. What takes too long may still be done after the refusal.
 * @throws ApiError BILLING_UNAVAILABLE where there is none, or where it cannot be asked
 */
export async function whileAvailable<T>(
  { payments, logger }: Parts,
  work: (payments: Payments) => Promise<T>,
): Promise<T> {
  if (payments === null) throw new ApiError('BILLING_UNAVAILABLE', UNAVAILABLE)
  try {
    return await inTime(work(payments))
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error
    logger?.error({ err: error }, 'the payment provider is not to be had')
    throw new ApiError('BILLING_UNAVAILABLE', UNAVAILABLE)
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PaymentsUnavailable('it takes too long')), PATIENCE)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
