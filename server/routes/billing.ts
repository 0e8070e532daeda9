import type { FastifyInstance } from 'fastify'
import { Counter, Registry } from 'prom-client'
import { routes } from '../../src/contract/routes'
import { ApiError } from '../http/api-error'
import type { AppDeps } from '../app-deps'
import { openCheckout, openPortal, refreshSubscription } from '../services/billing/own-subscription'
import { BILLING_WEBHOOK, whileAvailable } from '../services/billing/payment-provider'
import { takeEvent, type EventEffect } from '../services/billing/sync-customer'
import { serve } from '../http/serve'

/** Buying Premium, and managing what was bought: both on pages of the payment provider. */
export function serveSubscriptions(app: FastifyInstance, deps: AppDeps): void {
  serve(app, routes.createCheckoutSession, async ({ caller }) => openCheckout(deps, caller))

  serve(app, routes.createPortalSession, async ({ caller }) => openPortal(deps, caller))

  serve(app, routes.refreshSubscription, async ({ caller }) => refreshSubscription(deps, caller))
}

/** Bytes: events hold whole objects, invoices with all their lines among them. */
const LONGEST_EVENT = 512 * 1024

const OUTCOMES: readonly (EventEffect | 'forged' | 'failed')[] = ['applied', 'known', 'unconcerned', 'forged', 'failed']

/** Webhook of the payment provider. The server answers once the event has had its effect here. */
export async function billingWebhook(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { clock, metrics = new Registry() } = deps
  const events = new Counter({
    name: 'billing_events_total',
    help: 'What the payment provider has posted, by what came of it',
    labelNames: ['outcome'],
    registers: [metrics],
  })
  for (const outcome of OUTCOMES) events.inc({ outcome }, 0)

  // An encapsulated plugin: Stripe signs the bytes as they came, so this route alone parses no JSON.
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LONGEST_EVENT }, (_request, body, done) =>
      done(null, body),
    )
    raw.post<{ Body: Buffer | undefined }>(
      BILLING_WEBHOOK,
      { schema: { hide: true } },
      async ({ headers, body }, reply) => {
        reply.header('cache-control', 'no-store')
        const signature = headers['stripe-signature']?.toString()
        try {
          const event = await whileAvailable(deps, async (payments) =>
            payments.readEvent(body ?? Buffer.alloc(0), signature, clock()),
          )
          const taken = await takeEvent(deps, event)
          events.inc({ outcome: taken })
          deps.logger?.info({ event: event.id, type: event.type, taken }, 'billing event')
          return { received: true }
        } catch (error) {
          events.inc({ outcome: error instanceof ApiError && error.code === 'INVALID_SIGNATURE' ? 'forged' : 'failed' })
          throw error
        }
      },
    )
  })
}
