import type { FastifyBaseLogger } from 'fastify'
import { type Payments, PaymentsUnavailable } from '../../adapters/payments/payments'
import { ApiError } from '../../api-error'

const UNAVAILABLE = 'Payment processing is currently unavailable.'

interface Parts {
  readonly payments: Payments | null
  readonly logger?: FastifyBaseLogger | undefined
}

/**
 * Does what needs the payment provider.
 * @throws ApiError BILLING_UNAVAILABLE where there is none, or where it cannot be asked
 */
export async function whileAvailable<T>(
  { payments, logger }: Parts,
  work: (payments: Payments) => Promise<T>,
): Promise<T> {
  if (payments === null) throw new ApiError('BILLING_UNAVAILABLE', UNAVAILABLE)
  try {
    return await work(payments)
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error
    logger?.error({ err: error }, 'the payment provider is not to be had')
    throw new ApiError('BILLING_UNAVAILABLE', UNAVAILABLE)
  }
}
