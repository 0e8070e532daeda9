import type { StripeAccount } from './stripe-account'
import type { StripeList } from './stripe-objects'

/** Stripe's answer to a call that it refuses (https://docs.stripe.com/api/errors). */
export class StripeRefusal extends Error {
  readonly status: number
  readonly error: Readonly<Record<string, string>>
  constructor(status: number, error: Readonly<Record<string, string>>) {
    super(error['message'])
    this.status = status
    this.error = error
  }
}

/** Parameters as they are on the wire: `line_items[0][price]` is one name. */
export type Params = Readonly<Record<string, string>>

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Its group, if any, is the id that is asked about. */
  readonly path: RegExp
  /** Names without the indexes; what ends in `[]` may have any key. Beside them nothing is taken. */
  readonly params: readonly string[]
  readonly answer: (account: StripeAccount, params: Params, id: string) => object
}

const PAGE = ['limit', 'starting_after', 'expand[]']

// oxfmt-ignore
const CALLS: readonly Call[] = [
  {
    method: 'POST',
    path: /^\/v1\/customers$/,
    params: ['email', 'name', 'description', 'metadata[]'],
    answer: (account, params) => {
      const { email } = params
      return account.createCustomer({ ...(email !== undefined && { email }), metadata: membersOf(params, 'metadata') })
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/customers\/(\w+)$/,
    params: ['expand[]'],
    answer: (account, _params, id) => {
      const found = account.customer(id)
      if (found === null) throw missing('customer', id, 404, 'id')
      return found === 'deleted' ? { id, object: 'customer', deleted: true } : found
    },
  },
  {
    method: 'DELETE',
    path: /^\/v1\/customers\/(\w+)$/,
    params: [],
    answer: (account, _params, id) => {
      if (typeof account.customer(id) !== 'object' || account.customer(id) === null) throw missing('customer', id, 404, 'id')
      account.deleteCustomer(id)
      return { id, object: 'customer', deleted: true }
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/prices\/(\w+)$/,
    params: ['expand[]'],
    answer: (_account, _params, id) => {
      if (id !== STRIPE_PRICE) throw missing('price', id, 404, 'price')
      const recurring = { interval: 'month', interval_count: 1, usage_type: 'licensed', meter: null }
      return { id, object: 'price', active: true, type: 'recurring', currency: 'usd', unit_amount: 500, unit_amount_decimal: '500', billing_scheme: 'per_unit', recurring }
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/subscriptions$/,
    params: ['customer', 'status', ...PAGE],
    answer: (account, params) => {
      const customer = required(params, 'customer')
      // Of a deleted customer what there was can be read.
      if (account.customer(customer) === null) throw missing('customer', customer, 400, 'customer')
      const { status } = params
      const all = account.subscriptionsOf(customer)
      const wanted = all.filter((each) => status === 'all' || (status === undefined ? each.status !== 'canceled' : each.status === status))
      return listOf(wanted, '/v1/subscriptions', params)
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions$/,
    params: ['mode', 'customer', 'line_items[price]', 'line_items[quantity]', 'client_reference_id', 'metadata[]', 'subscription_data[metadata][]', 'success_url', 'cancel_url', 'allow_promotion_codes', 'locale', 'expires_at', 'customer_update[]'],
    answer: (account, params) => {
      if (required(params, 'mode') !== 'subscription') throw invalid('mode', 'The stand-in only sells subscriptions.')
      if (required(params, 'line_items[0][price]') !== STRIPE_PRICE) throw missing('price', params['line_items[0][price]'] ?? '', 400, 'line_items[0][price]')
      if (Number(required(params, 'line_items[0][quantity]')) !== 1) throw invalid('line_items[0][quantity]', 'One is enough.')
      const success_url = webAddress(params, 'success_url')
      const cancel_url = params['cancel_url'] === undefined ? null : webAddress(params, 'cancel_url')
      const client_reference_id = params['client_reference_id'] ?? null
      const subscriptionMetadata = membersOf(params, 'subscription_data[metadata]')
      return account.openSession({ customer: living(account, params), client_reference_id, success_url, cancel_url, metadata: membersOf(params, 'metadata'), subscriptionMetadata })
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/checkout\/sessions$/,
    params: ['customer', 'status', ...PAGE],
    answer: (account, params) => {
      const { status } = params
      const all = account.sessionsOf(required(params, 'customer'))
      return listOf(status === undefined ? all : all.filter((each) => each.status === status), '/v1/checkout/sessions', params)
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
    params: ['expand[]'],
    answer: (account, _params, id) => {
      const found = account.session(id)
      if (found === null) throw missing('checkout.session', id, 404, 'session')
      if (found.status !== 'open') throw invalid('session', `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${found.status}.`)
      return account.expire(id)
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/billing_portal\/sessions$/,
    params: ['customer', 'return_url', 'locale', 'configuration'],
    answer: (account, params) => {
      const return_url = params['return_url'] === undefined ? null : webAddress(params, 'return_url')
      return account.openPortal({ customer: living(account, params), return_url })
    },
  },
]

/** The one price that is sold. */
export const STRIPE_PRICE = 'price_standin_premium_monthly'

/** @throws StripeRefusal */
export function answerCall(account: StripeAccount, method: string, path: string, params: Params): object {
  const call = CALLS.find((each) => each.method === method && each.path.test(path))
  if (call === undefined)
    throw new StripeRefusal(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}).`,
    })
  const unknown = Object.keys(params).find((name) => !call.params.some((known) => isNamed(name, known)))
  if (unknown !== undefined)
    throw new StripeRefusal(400, {
      type: 'invalid_request_error',
      code: 'parameter_unknown',
      param: unknown,
      message: `Received unknown parameter: ${unknown}`,
    })
  return call.answer(account, params, call.path.exec(path)?.[1] ?? '')
}

function isNamed(name: string, known: string): boolean {
  const plain = name.replace(/\[\d+\]/, '')
  return known.endsWith('[]') ? plain.startsWith(known.slice(0, -2)) : plain === known
}

function required(params: Params, name: string): string {
  const value = params[name]
  if (value === undefined || value === '')
    throw new StripeRefusal(400, {
      type: 'invalid_request_error',
      code: 'parameter_missing',
      param: name,
      message: `Missing required param: ${name}.`,
    })
  return value
}

function webAddress(params: Params, name: string): string {
  const value = required(params, name)
  if (!URL.canParse(value))
    throw new StripeRefusal(400, {
      type: 'invalid_request_error',
      code: 'url_invalid',
      param: name,
      message: 'Not a valid URL',
    })
  return value
}

function living(account: StripeAccount, params: Params): string {
  const id = required(params, 'customer')
  const found = account.customer(id)
  if (found === null || found === 'deleted') throw missing('customer', id, 400, 'customer')
  return id
}

const invalid = (param: string, message: string) =>
  new StripeRefusal(400, { type: 'invalid_request_error', param, message })
const missing = (what: string, id: string, status: 400 | 404, param: string) =>
  new StripeRefusal(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${what}: '${id}'`,
  })

/** The members of a form's nested name: `metadata[user_id]` gives `user_id`. */
const membersOf = (params: Params, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params)
      .filter(([key]) => key.startsWith(`${name}[`))
      .map(([key, value]) => [key.slice(name.length + 1, -1), value]),
  )

/** @throws StripeRefusal where `starting_after` names nothing of it */
function listOf<T extends { readonly id: string }>(all: readonly T[], url: string, params: Params): StripeList<T> {
  const limit = Number(params['limit'] ?? 10)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw invalid('limit', 'Limit can range between 1 and 100.')
  const after = params['starting_after']
  const at = after === undefined ? -1 : all.findIndex(({ id }) => id === after)
  if (after !== undefined && at === -1) throw missing('object', after, 400, 'starting_after')
  const data = all.slice(at + 1, at + 1 + limit)
  return { object: 'list', url, has_more: at + 1 + limit < all.length, data }
}
