import { startStripeServer } from '../../support/stripe-server'
import { seedBoard } from './seed-board'
import { startSeededServer, type Account } from './seeded-server'
import type { AppServer } from './app-server'

/** The payment provider: the server's sandbox, or the stand-in that speaks Stripe's API. */
export type Provider = 'sandbox' | 'stripe'

/** A server that sells Premium, and somebody with more pairs than the free tier has active. */
export interface BillingWorld {
  readonly server: AppServer
  readonly buyer: Account
  stop(): Promise<number | null>
}

export const PAIRS = 7
export const FREE_PAIRS = 5

export async function startBillingWorld(provider: Provider): Promise<BillingWorld> {
  const stripe = provider === 'stripe' ? await startStripeServer() : null
  const env = { FREE_MAX_WIDGETS: String(PAIRS), ...stripe?.variables }
  const { server, people } = await startSeededServer({ buyer: {} }, { env })
  stripe?.deliverTo(`${server.origin}/api/v1/billing/webhook`)
  await seedBoard(server.origin, { token: people.buyer.accessToken }, PAIRS)
  await server.restart({ env: { FREE_MAX_WIDGETS: String(FREE_PAIRS) } })
  return {
    server,
    buyer: people.buyer,
    async stop() {
      const code = await server.stop()
      await stripe?.stop()
      return code
    },
  }
}
