import type { Payments } from '../../adapters/payments/payments'
import { stripePayments } from '../../adapters/payments/stripe'
import type { Env } from '../../env'
import type { Sandbox } from '../sandbox/sandbox'

interface Parts {
  readonly env: Env
  readonly sandbox: Sandbox | null
}

/** Where Premium is paid for: at Stripe, on pages of the sandbox, or nowhere (null). */
export async function choosePayments({ env, sandbox }: Parts): Promise<Payments | null> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_PRICE_ID: priceId } = env
  if (secretKey === undefined || webhookSecret === undefined || priceId === undefined) {
    return sandbox?.billing?.payments ?? null
  }
  return stripePayments({ secretKey, webhookSecret, priceId, apiUrl: env.STRIPE_API_URL })
}
