import { startStripeServer } from '../../support/stripe-server'
import type { AppServer } from './app-server'
import { seedBoard } from './seed-board'
import { startSeededServer, type Account } from './seeded-server'
import { FREE_PAIRS, seedBeyondFree, type SharedWorld } from './shared-world'

export { FREE_PAIRS } from './shared-world'

/** The payment provider: the server's sandbox, or the stand-in that speaks Stripe's API. */
export type Provider = 'sandbox' | 'stripe'

/** A server that sells Premium, and somebody with more pairs than the free tier has active. */
export interface BillingWorld {
  readonly server: AppServer
  readonly buyer: Account
  end(): Promise<void>
}

export const PAIRS = 7

/** The sandbox is that of the shared server; Stripe's stand-in has a server of its own. */
export async function billingWorld(provider: Provider, shared: SharedWorld): Promise<BillingWorld> {
  if (provider === 'stripe') return stripeWorld()
  const { buyer } = shared.people
  await seedBeyondFree(shared, buyer, PAIRS)
  return { server: shared.server, buyer, end: () => Promise.resolve() }
}

async function stripeWorld(): Promise<BillingWorld> {
  const stripe = await startStripeServer()
  const env = { FREE_MAX_WIDGETS: String(PAIRS), ...stripe.variables }
  const { server, people } = await startSeededServer({ buyer: {} }, { env })
  stripe.deliverTo(`${server.origin}/api/v1/billing/webhook`)
  await seedBoard(server.origin, { token: people.buyer.accessToken }, PAIRS)
  await server.restart({ env: { FREE_MAX_WIDGETS: String(FREE_PAIRS) } })
  return {
    server,
    buyer: people.buyer,
    async end() {
      const code = await server.stop()
      await stripe.stop()
      if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.output()}`)
    },
  }
}
