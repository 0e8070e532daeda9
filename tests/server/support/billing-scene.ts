import { eq } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { billing_customers, billing_events, subscriptions } from '../../../server/db/schema/billing'
import { users } from '../../../server/db/schema/users'
import { widgets } from '../../../server/db/schema/widgets'
import type { Payments } from '../../../server/adapters/payments/payments'
import { stripePayments } from '../../../server/adapters/payments/stripe'
import { BILLING_WEBHOOK } from '../../../server/services/billing/payment-provider'
import type { SignedEvent } from '../../support/stripe-delivery'
import type { StripeEvent } from '../../support/stripe-objects'
import { type StripeServer, startStripeServer } from '../../support/stripe-server'
import type { NewUser } from './new-user'
import { testApp, type TestApp } from './test-app'
import { START } from './test-clock'
import type { TestDatabase } from './test-database'
import type { User } from './user'

/** Milliseconds that one answer of Stripe is waited for. */
const STRIPE_TIMEOUT_MS = 1_500

interface Refusal {
  readonly status: number
  readonly code: string | null
}

/** The real app, selling through the real SDK to a stand-in of Stripe that has the app's clock. */
export interface BillingScene {
  readonly server: TestApp
  readonly stripe: StripeServer
  readonly payments: Payments
  /** Posts to the webhook as Stripe would. */
  post(event: StripeEvent): Promise<Refusal>
  postSigned(signed: SignedEvent): Promise<Refusal>
  /** A user who has been at the checkout, and did not pay. */
  buyer(options?: NewUser): Promise<Buyer>
  /** As if they had been there: both sides know the customer. Takes a tenth of the time. */
  customer(options?: NewUser): Promise<Buyer>
  /** Ids of the events that have had their effect. */
  taken(): Promise<string[]>
  close(): Promise<void>
}

export interface Buyer {
  readonly me: User
  readonly customer: string
  isPremium(): Promise<boolean>
  /** Whether each widget is active, in its place. */
  activity(): Promise<boolean[]>
  /** By the provider's id. */
  rows(): Promise<Map<string, typeof subscriptions.$inferSelect>>
  version(): Promise<number>
}

interface Options {
  readonly env?: Readonly<Record<string, string>>
  readonly database?: TestDatabase
  readonly logger?: FastifyBaseLogger
}

export async function billingScene({ env = {}, database, logger }: Options = {}): Promise<BillingScene> {
  let now = () => START
  const stripe = await startStripeServer({ clock: () => now() })
  const variables = { ...stripe.variables, FREE_MAX_WIDGETS: '2', PREMIUM_MAX_WIDGETS: '4', ...env }
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_ID: priceId,
    STRIPE_API_URL: apiUrl,
  } = stripe.variables
  const payments = await stripePayments({ secretKey, webhookSecret, priceId, apiUrl, timeout: STRIPE_TIMEOUT_MS })
  const deps = { payments, ...(logger && { logger }) }
  const server = await testApp({ env: variables, deps, ...(database && { database }) })
  now = server.clock

  const postSigned = async ({ payload, signature }: SignedEvent): Promise<Refusal> => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
    const answer = await server.app.inject({ method: 'POST', url: BILLING_WEBHOOK, headers, payload })
    return { status: answer.statusCode, code: answer.json<{ error_code?: string }>().error_code ?? null }
  }
  return {
    server,
    stripe,
    payments,
    postSigned,
    post: (event) => postSigned(stripe.sign(event)),
    buyer: async (options) => {
      const me = await server.user(options)
      const { status } = await me.ask('POST', '/subscriptions/create-checkout-session')
      if (status !== 200) throw new Error(`The checkout was answered ${status}`)
      return buyerOf(server, me)
    },
    customer: async (options) => {
      const me = await server.user(options)
      const { id: customer_id } = stripe.account.createCustomer({ metadata: { user_id: me.id } })
      const synced_at = new Date(server.clock())
      await server.database.orm.insert(billing_customers).values({ user_id: me.id, customer_id, synced_at })
      return buyerOf(server, me)
    },
    taken: async () => (await server.rows(billing_events)).map(({ id }) => id),
    close: async () => {
      await server.close()
      await stripe.stop()
    },
  }
}

async function buyerOf(server: TestApp, me: User): Promise<Buyer> {
  const { orm } = server.database
  const row = async () => {
    const [row] = await orm.select().from(billing_customers).where(eq(billing_customers.user_id, me.id))
    if (row === undefined) throw new Error('The customer was not stored')
    return row
  }
  return {
    me,
    customer: (await row()).customer_id,
    isPremium: async () => (await orm.select().from(users).where(eq(users.id, me.id)))[0]!.has_premium_access,
    activity: async () => {
      const board = await orm.select().from(widgets).where(eq(widgets.owner_id, me.id)).orderBy(widgets.display_order)
      return board.map(({ is_active }) => is_active)
    },
    rows: async () => {
      const rows = await orm.select().from(subscriptions).where(eq(subscriptions.user_id, me.id))
      return new Map(rows.map((one) => [one.stripe_subscription_id, one]))
    },
    version: async () => (await row()).version,
  }
}
