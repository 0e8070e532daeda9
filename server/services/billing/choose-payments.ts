import type { Payments } from '../../adapters/payments/payments'
import { stripePayments } from '../../adapters/payments/stripe'
import type { Env } from '../../env'

/** Where Premium is paid for: at Stripe, or nowhere (null). */
export async function choosePayments({ env }: { readonly env: Env }): Promise<Payments | null> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_PRICE_ID: priceId } = env
  if (secretKey === undefined || webhookSecret === undefined || priceId === undefined) return null
  return stripePayments({ secretKey, webhookSecret, priceId, apiUrl: env.STRIPE_API_URL })
}
