import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { readOutboxMail, listOutboxMails } from '../adapters/mail-transport'
import { isLoopbackAddress, isLoopbackHost } from '../http/addresses'
import { ApiError } from '../http/api-error'
import { cameThroughProxy } from '../plugins/operators-only'
import { BILLING_WEBHOOK } from '../services/billing/payment-provider'
import { SANDBOX_BILLING, type SandboxBilling, type SignedPost } from '../services/sandbox/billing/billing'
import { SANDBOX_GOOGLE, type SandboxGoogle } from '../services/sandbox/google'
import {
  accountPage,
  checkoutPage,
  mailListPage,
  mailPage,
  outdatedBillingPage,
  outdatedPage,
  portalPage,
  SANDBOX_MAIL,
} from '../services/sandbox/pages'
import type { Sandbox } from '../services/sandbox/sandbox'
import { takeFormsAlone } from '../http/serve'

/** The pages of the stand-ins for the outside world. */
export async function serveSandbox(app: FastifyInstance, { mails, google, billing }: Sandbox): Promise<void> {
  await app.register(async (pages) => {
    pages.addHook('onRequest', async (request) => {
      if (!isOfThisMachine(request)) throw new ApiError('NO_SUCH_ROUTE', 'There is nothing at this address.')
    })
    if (mails !== null) mailPages(pages, mails)
    if (google !== null) await googlePages(pages, google)
    if (billing !== null) await billingPages(pages, billing)
  })
}

/**
 * Listening on this machine alone does not keep others out: a page elsewhere can have its name point here or lead its
 * visitors here, and a tunnel or a proxy passes strangers on. A stranger in here reads every link and can be any user.
 */
const isOfThisMachine = (request: FastifyRequest): boolean =>
  namesThisMachine(request) && !cameThroughProxy(request.headers) && request.headers['sec-fetch-site'] !== 'cross-site'

function namesThisMachine({ headers, hostname, ip, socket }: FastifyRequest): boolean {
  const asked = `http://${headers.host ?? ''}`
  return (
    URL.canParse(asked) &&
    [new URL(asked).hostname, hostname].every(isLoopbackHost) &&
    [ip, socket.remoteAddress].every(isLoopbackAddress)
  )
}

function mailPages(app: FastifyInstance, folder: string): void {
  const find = async (params: unknown) => {
    const { id } = z.object({ id: z.string() }).parse(params)
    const mail = await readOutboxMail(folder, id)
    if (mail === null) throw new ApiError('NOT_FOUND', 'There is no such mail.')
    return mail
  }
  app.get(SANDBOX_MAIL, HIDDEN, async (_request, reply) => page(reply, mailListPage(await listOutboxMails(folder))))
  app.get(`${SANDBOX_MAIL}/:id`, HIDDEN, async (request, reply) => {
    const mail = await find(request.params)
    reply.header(
      'content-security-policy',
      "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'",
    )
    return page(reply, mailPage(mail))
  })
  app.get(`${SANDBOX_MAIL}/:id/html`, HIDDEN, async (request, reply) => {
    const { html } = await find(request.params)
    // As a mail program shows it: no script, nothing loaded; shown inside the page above and nowhere else.
    reply
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'")
      .header('x-frame-options', 'SAMEORIGIN')
    // Links lead out of the frame.
    return page(reply, html.replace('<head>', '<head>\n<base target="_top">'))
  })
}

async function googlePages(app: FastifyInstance, google: SandboxGoogle): Promise<void> {
  google.reachBy(async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url)
    const answer = await app.inject({
      method: method as 'GET' | 'POST',
      url: `${pathname}${search}`,
      headers: Object.fromEntries(new Headers(headers)),
      ...(body != null && { payload: await new Response(body).text() }),
    })
    return new Response(answer.payload, {
      status: answer.statusCode,
      headers: { 'content-type': String(answer.headers['content-type']) },
    })
  })

  await app.register(async (forms) => {
    await takeFormsAlone(forms)
    const choice = z.discriminatedUnion('decision', [
      z.object({ decision: z.literal('continue'), email: z.email().max(254), elsewhere: z.literal('on').optional() }),
      z.object({ decision: z.literal('cancel') }),
    ])
    const ACCOUNT = `${SANDBOX_GOOGLE}/account/:uid`

    forms.get(ACCOUNT, HIDDEN, async ({ raw }, reply) => {
      const choosing = await google.choosing(raw, reply.raw)
      return page(reply, choosing === null ? outdatedPage() : accountPage(choosing.email))
    })
    forms.post(ACCOUNT, HIDDEN, async ({ raw, body }, reply) => {
      const { data } = choice.safeParse(body)
      if (data === undefined) throw new ApiError('VALIDATION_ERROR', 'This is not an email address.')
      const next = await google.finish(
        raw,
        reply.raw,
        data.decision === 'continue' ? { email: data.email, workspace: data.elsewhere === undefined } : null,
      )
      return next === null ? page(reply, outdatedPage()) : reply.redirect(next, 303)
    })
  })

  await app.register(async (provider) => {
    // It reads bodies itself.
    provider.removeAllContentTypeParsers()
    provider.addContentTypeParser('*', (_request, _payload, done) => done(null))
    provider.all(`${SANDBOX_GOOGLE}/*`, HIDDEN, async (request, reply) => {
      const answer = await google.handler()
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value)
      }
      reply.hijack()
      await answer(request.raw, reply.raw)
    })
  })
}

const params = z.object({ id: z.string() })
const choice = <D extends string>(decisions: readonly [D, ...D[]]) => z.object({ decision: z.enum(decisions) })
const atCheckout = choice(['pay', 'cancel'])
const inPortal = choice(['cancel'])

function chosen<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data } = schema.safeParse(body)
  if (data === undefined) throw new ApiError('VALIDATION_ERROR', 'This page has no such button.')
  return data
}

/** The pages of the stand-in of Stripe, and its way to the webhook. */
async function billingPages(app: FastifyInstance, billing: SandboxBilling): Promise<void> {
  const CHECKOUT = `${SANDBOX_BILLING}/checkout/:id`
  const PORTAL = `${SANDBOX_BILLING}/portal/:id`

  await app.register(async (forms) => {
    await takeFormsAlone(forms)
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
      const { statusCode } = await app.inject({ method: 'POST', url: BILLING_WEBHOOK, headers, payload: body })
      return statusCode
    } catch (error) {
      app.log.warn({ err: error }, 'the sandbox could not tell of a payment')
      return null
    }
  }
  const failed = (error: unknown) =>
    app.log.error({ err: error }, 'a customer of the sandbox cannot be read or written')
  app.addHook('onReady', async () => billing.deliverBy(post, failed))
  app.addHook('preClose', () => billing.stop())
}

/** The sandbox is no part of the API. */
const HIDDEN = { schema: { hide: true } }

const page = (reply: FastifyReply, html: string): FastifyReply =>
  reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html)
