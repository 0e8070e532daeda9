import type { FastifyInstance } from 'fastify'
import { Counter, Registry } from 'prom-client'
import { ApiError } from '../api-error'
import type { AppParts } from '../app-parts'
import { takeEvent, type Taken } from '../services/billing/take-event'
import { BILLING_WEBHOOK } from '../services/billing/webhook-address'
import { whileAvailable } from '../services/billing/while-available'

/** Bytes: events hold whole objects, invoices with all their lines among them. */
const LONGEST_EVENT = 512 * 1024

const OUTCOMES: readonly (Taken | 'forged' | 'failed')[] = ['applied', 'known', 'unconcerned', 'forged', 'failed']

/** Where the payment provider tells what has happened there. Answered once that has had its effect here. */
export async function billingWebhook(app: FastifyInstance, parts: AppParts): Promise<void> {
  const { clock, metrics = new Registry() } = parts
  const events = new Counter({
    name: 'billing_events_total',
    help: 'What the payment provider has posted, by what came of it',
    labelNames: ['outcome'],
    registers: [metrics],
  })
  for (const outcome of OUTCOMES) events.inc({ outcome }, 0)

  // In a room of its own: what is signed are the bytes as they came, whatever they are called.
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LONGEST_EVENT }, (_request, body, done) => done(null, body)) // prettier-ignore
    raw.post<{ Body: Buffer | undefined }>(
      BILLING_WEBHOOK,
      { schema: { hide: true } },
      async ({ headers, body }, reply) => {
        reply.header('cache-control', 'no-store')
        const signature = headers['stripe-signature']?.toString()
        try {
          const event = await whileAvailable(parts, async (payments) =>
            payments.readEvent(body ?? Buffer.alloc(0), signature, clock()),
          )
          const taken = await takeEvent(parts, event)
          events.inc({ outcome: taken })
          parts.logger?.info({ event: event.id, type: event.type, taken }, 'billing event')
          return { received: true }
        } catch (error) {
          events.inc({ outcome: error instanceof ApiError && error.code === 'INVALID_SIGNATURE' ? 'forged' : 'failed' })
          throw error
        }
      },
    )
  })
}
