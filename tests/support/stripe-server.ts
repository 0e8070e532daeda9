import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { type StripeAccount, stripeAccount } from './stripe-account'
import { answerCall, type Params, STRIPE_PRICE, StripeRefusal } from './stripe-calls'
import { type SignedEvent, signEvent, startDelivery } from './stripe-delivery'
import type { StripeEvent } from './stripe-objects'

/** A page, or where the browser goes. */
type PageAnswer = { readonly html: string } | { readonly location: string }

const PAY = /^\/c\/pay\/(\w+)$/
const PORTAL = /^\/p\/session\/(\w+)$/

/**
 * The pages that Stripe hosts, with forms that need no script.
 * @returns null where there is none
 */
function hostedPage(account: StripeAccount, method: string, path: string, form: URLSearchParams): PageAnswer | null {
  const session = account.session(PAY.exec(path)?.[1] ?? '')
  if (session !== null) {
    if (session.status !== 'open') return { html: document('This page is over', '') }
    if (method !== 'POST')
      return {
        html: document(
          'Premium',
          '<p>5.00 USD a month</p><form method="post"><button name="do" value="pay">Pay</button> <button name="do" value="cancel">Cancel</button></form>',
        ),
      }
    if (form.get('do') === 'cancel') return { location: session.cancel_url ?? '/' }
    const paid = account.pay(session.id)
    return { location: paid.success_url.replaceAll('{CHECKOUT_SESSION_ID}', paid.id) }
  }
  const portal = account.portal(PORTAL.exec(path)?.[1] ?? '')
  if (portal === null) return null
  const running = account.subscriptionsOf(portal.customer).filter(({ status }) => status !== 'canceled')
  if (method === 'POST') {
    for (const { id } of running) account.cancel(id)
    return { location: path }
  }
  const plan =
    running.length === 0
      ? '<p>No subscription</p>'
      : '<p>Premium, 5.00 USD a month</p><form method="post"><button>Cancel subscription</button></form>'
  return { html: document('Billing', `${plan}<p><a href="${portal.return_url ?? '/'}">Back to the app</a></p>`) }
}

const document = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body><main><h1>${title}</h1>${body}</main></body></html>`

/** A fault of one call; `lose-answer`: the call is done, and the connection ends before the answer is sent. */
type StripeFault =
  | { readonly status: number; readonly code?: string; readonly retryAfter?: number }
  | 'hang'
  | 'hang-up'
  | 'lose-answer'

interface StripeCall {
  readonly method: string
  readonly path: string
  readonly params: Params
  readonly idempotencyKey: string | null
  readonly apiVersion: string | null
  /** Of the answer; null while there is none. */
  status: number | null
}

/**
 * Stands in for Stripe: its API as far as subscriptions are sold with it (https://docs.stripe.com/api), the pages that it
 * hosts, and its webhooks. Written from its documentation; nothing of the product is in it.
 */
export interface StripeServer {
  readonly origin: string
  /** STRIPE_API_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_ID of a server that is to use it. */
  readonly variables: Readonly<
    Record<'STRIPE_API_URL' | 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_PRICE_ID', string>
  >
  /** The stand-in's state, to be looked at and changed. */
  readonly account: StripeAccount
  /** Calls of the API so far, oldest first. */
  readonly calls: readonly StripeCall[]
  /** From now on events are posted there, those first that were not taken yet; null: nowhere, which is so at first. */
  deliverTo(url: string | null): void
  /** Resolves when every event was taken. */
  delivered(): Promise<void>
  /** Statuses of the answers to an event so far; null: there was none. */
  attempts(event: string): readonly (number | null)[]
  /** As Stripe would post it now, or then (milliseconds since 1970), or somebody with another secret. */
  sign(event: StripeEvent | string, how?: { readonly at?: number; readonly secret?: string }): SignedEvent
  /** The fault of every call from now on, or of those for which a function returns one; null: none. */
  fail(fault: StripeFault | null | ((call: StripeCall) => StripeFault | null)): void
  stop(): Promise<void>
}

interface Options {
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

/** Answers to keys. In one process, a day of keeping them is for ever. */
type Kept = Map<string, { readonly request: string; readonly status: number; readonly body: object }>

export async function startStripeServer({ clock = Date.now }: Options = {}): Promise<StripeServer> {
  const secretKey = `sk_test_${randomBytes(16).toString('hex')}`
  const webhookSecret = `whsec_${randomBytes(16).toString('hex')}`
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const sign: StripeServer['sign'] = (event, { at = clock(), secret = webhookSecret } = {}) =>
    signEvent(event, secret, at)
  const delivery = startDelivery(sign)
  const account = stripeAccount({ clock, origin, priceId: STRIPE_PRICE, onEvent: delivery.add })
  const calls: StripeCall[] = []
  const kept: Kept = new Map()
  let fault: StripeFault | null | ((call: StripeCall) => StripeFault | null) = null

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = new URLSearchParams(Buffer.concat(chunks).toString())
    const method = request.method ?? 'GET'
    if (pathname.startsWith('/v1/'))
      return answerApi(request, response, pathname, method === 'POST' ? body : searchParams)
    const page = hostedPage(account, method, pathname, body)
    if (page === null) response.writeHead(404).end()
    else if ('html' in page) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page.html)
    else response.writeHead(303, { location: page.location }).end()
  }

  async function answerApi(request: IncomingMessage, response: ServerResponse, path: string, given: URLSearchParams) {
    const { method = 'GET', headers } = request
    const params = Object.fromEntries(given)
    const call: StripeCall = {
      method,
      path,
      params,
      idempotencyKey: headerOf(request, 'idempotency-key'),
      apiVersion: headerOf(request, 'stripe-version'),
      status: null,
    }
    calls.push(call)
    const wrong = typeof fault === 'function' ? fault(call) : fault
    if (wrong === 'hang') return
    if (wrong === 'hang-up') return void request.socket.destroy()
    if (wrong !== null && wrong !== 'lose-answer') {
      const { status, code, retryAfter } = wrong
      const type = status === 429 ? 'invalid_request_error' : 'api_error'
      const error = { type, message: 'Something is wrong here.', ...(code !== undefined && { code }) }
      return send(
        response,
        call,
        status,
        { error },
        retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
      )
    }
    const result =
      headers.authorization === `Bearer ${secretKey}`
        ? once(call, () => answerCall(account, method, path, params))
        : { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } }
    if (wrong === 'lose-answer') return void request.socket.destroy()
    send(response, call, result.status, result.body)
  }

  /** Done once for a key; what was refused before it was begun is not kept (https://docs.stripe.com/api/idempotent_requests). */
  function once(
    { method, path, params, idempotencyKey: key }: StripeCall,
    perform: () => object,
  ): { readonly status: number; readonly body: object } {
    const request = JSON.stringify([method, path, params])
    const before = key === null || method !== 'POST' ? undefined : kept.get(key)
    if (before !== undefined && before.request !== request) {
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with.`
      return { status: 400, body: { error: { type: 'idempotency_error', message } } }
    }
    if (before !== undefined) return before
    try {
      const body = perform()
      if (key !== null && method === 'POST') kept.set(key, { request, status: 200, body })
      return { status: 200, body }
    } catch (error) {
      if (error instanceof StripeRefusal) return { status: error.status, body: { error: error.error } }
      throw error
    }
  }

  return {
    origin,
    variables: {
      STRIPE_API_URL: origin,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICE_ID: STRIPE_PRICE,
    },
    account,
    calls,
    deliverTo: delivery.to,
    delivered: delivery.done,
    attempts: delivery.attempts,
    sign,
    fail: (next) => {
      fault = next
    },
    stop: () =>
      new Promise((resolve) => {
        delivery.stop()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(
  response: ServerResponse,
  call: StripeCall,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  call.status = status
  const id = `req_${randomBytes(8).toString('hex')}`
  response
    .writeHead(status, { 'content-type': 'application/json', 'request-id': id, ...headers })
    .end(JSON.stringify(body))
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | null => headers[name]?.toString() ?? null
