import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { ApiError } from '../api-error'
import { BILLING_WEBHOOK } from '../services/billing/webhook-address'
import type { SandboxBilling, SignedPost } from '../services/sandbox/billing/billing'
import { checkoutPage, outdatedBillingPage, portalPage } from '../services/sandbox/billing/pages'
import { SANDBOX_BILLING } from '../services/sandbox/billing/payments'
import { HIDDEN, page } from './sandbox-page'

const params = z.object({ id: z.string() })
const choice = <D extends string>(decisions: readonly [D, ...D[]]) => z.object({ decision: z.enum(decisions) })
const atCheckout = choice(['pay', 'cancel'])
const inPortal = choice(['cancel'])

function chosen<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data } = schema.safeParse(body)
  if (data === undefined) throw new ApiError('VALIDATION_ERROR', 'This page has no such button.')
  return data
}

/** The pages of what stands in for Stripe, and the way by which it tells the webhook. */
export async function billingPages(app: FastifyInstance, billing: SandboxBilling): Promise<void> {
  const CHECKOUT = `${SANDBOX_BILLING}/checkout/:id`
  const PORTAL = `${SANDBOX_BILLING}/portal/:id`

  await app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    await forms.register(formbody)
    forms.get(CHECKOUT, HIDDEN, async (request, reply) =>
      page(reply, billing.checkout(params.parse(request.params).id) === null ? outdatedBillingPage() : checkoutPage()),
    )
    forms.post(CHECKOUT, HIDDEN, async (request, reply) => {
      const { id } = params.parse(request.params)
      const { decision } = chosen(atCheckout, request.body)
      const next = decision === 'pay' ? billing.pay(id)?.successUrl : billing.checkout(id)?.cancelUrl
      return next === undefined ? page(reply, outdatedBillingPage()) : reply.redirect(next, 303)
    })
    forms.get(PORTAL, HIDDEN, async (request, reply) => {
      const visit = billing.visitor(params.parse(request.params).id)
      return page(reply, visit === null ? outdatedBillingPage() : portalPage(visit.customer, visit.returnUrl))
    })
    forms.post(PORTAL, HIDDEN, async (request, reply) => {
      const { id } = params.parse(request.params)
      chosen(inPortal, request.body)
      billing.cancel(id)
      // Asked for anew, so that loading the page again sends nothing again.
      return reply.redirect(`${SANDBOX_BILLING}/portal/${encodeURIComponent(id)}`, 303)
    })
  })

  const post = async ({ body, signature }: SignedPost): Promise<number | null> => {
    try {
      const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
      const { statusCode } = await app.inject({ method: 'POST', url: BILLING_WEBHOOK, headers, payload: body }) // prettier-ignore
      return statusCode
    } catch (error) {
      app.log.warn({ err: error }, 'the sandbox could not tell of a payment')
      return null
    }
  }
  const failed = (error: unknown) =>
    app.log.error({ err: error }, 'a customer of the sandbox cannot be read or written')
  app.addHook('onReady', async () => billing.tellBy(post, failed))
  app.addHook('preClose', () => billing.stop())
}
