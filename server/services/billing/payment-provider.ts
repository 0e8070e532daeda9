import { type PlanPrice, planPrice } from '../../../src/contract/billing'
import { API_BASE } from '../../../src/contract/routes'
import { HOUR, MINUTE } from '../../../src/domain/granularity'
import { isDue, withTimeLimit } from '../../../src/domain/waits'
import { type Payments, PaymentsUnavailable } from '../../adapters/payments/payments'
import { stripePayments } from '../../adapters/payments/stripe'
import { ApiError } from '../../http/api-error'
import type { Env } from '../../env'
import { nodeTimer } from '../../waits'
import type { ServiceDeps } from '../service-deps'

/** Path to which the payment provider posts events. Not in the contract: no client calls it. */
export const BILLING_WEBHOOK = `${API_BASE}/billing/webhook`

/** Payment provider: Stripe, the sandbox, or none (null). */
export async function choosePayments(env: Env, sandbox: Payments | null = null): Promise<Payments | null> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_PRICE_ID: priceId } = env
  if (secretKey === undefined || webhookSecret === undefined || priceId === undefined) {
    return sandbox
  }
  return stripePayments({ secretKey, webhookSecret, priceId, apiUrl: env.STRIPE_API_URL })
}

const UNAVAILABLE = 'Payment processing is currently unavailable.'

/** Several calls that are each answered late may last longer than the request, which has 20 s. */
const PAYMENTS_TIMEOUT_MS = 18_000

/**
 * Does work that needs the payment provider. Work that takes too long may still be done after the refusal.
 * @throws ApiError BILLING_UNAVAILABLE without a provider, or when the provider cannot be asked
 */
export async function whileAvailable<T>(
  { payments, logger }: Pick<ServiceDeps, 'payments' | 'logger'>,
  work: (payments: Payments) => Promise<T>,
): Promise<T> {
  if (payments === null) throw new ApiError('BILLING_UNAVAILABLE', UNAVAILABLE)
  try {
    return await withTimeLimit(nodeTimer, PAYMENTS_TIMEOUT_MS, work(payments), () => {
      throw new PaymentsUnavailable('it takes too long')
    })
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error
    logger?.error({ err: error }, 'the payment provider is not to be had')
    throw new ApiError('BILLING_UNAVAILABLE', UNAVAILABLE)
  }
}

/** Milliseconds that an answer of the provider is good for, and that a provider which failed is left alone. */
const PRICE_LIFETIME = HOUR
const PAUSE_AFTER_FAILURE = MINUTE
/** Longest wait of a request for the first answer; later ones are answered with what is known. */
const FIRST_ANSWER_TIMEOUT_MS = 1_000

/**
 * The price of Premium as the payment provider last said it; undefined while the provider has never answered, or sells at
 * no single price. Requests have the provider asked, at most once an hour; while it is away the known price stands, since
 * the amount of a price at Stripe never changes.
 */
export function knownPrice({
  payments,
  clock,
  logger,
}: Pick<ServiceDeps, 'clock' | 'logger'> & { readonly payments: Payments }): () => Promise<PlanPrice | undefined> {
  let known: PlanPrice | undefined
  let asked: Promise<void> | null = null
  let dueAt = -Infinity

  async function ask(): Promise<void> {
    try {
      const price = await payments.price()
      known = price === null ? undefined : planPrice.parse(price)
      dueAt = clock() + PRICE_LIFETIME
    } catch (error) {
      dueAt = clock() + PAUSE_AFTER_FAILURE
      logger?.error({ err: error }, 'the price of Premium could not be asked for')
    } finally {
      asked = null
    }
  }

  return async () => {
    if (asked === null && isDue(dueAt, clock(), PRICE_LIFETIME)) asked = ask()
    if (asked !== null && known === undefined) {
      await withTimeLimit(nodeTimer, FIRST_ANSWER_TIMEOUT_MS, asked, () => undefined)
    }
    return known
  }
}
