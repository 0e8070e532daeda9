import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../../server/db/open'
import { isEntitling } from '../../../src/domain/subscription'
import { startStripeServer, type StripeServer } from '../../support/stripe-server'
import { testProgramFiles } from './program-files'
import { seedUsers } from './seed-users'
import { type ServerProcess, startServer } from './server-process'

export interface BillingKills {
  /** Events that Stripe has made, and attempts to post one that a dying server left unanswered. */
  readonly events: number
  readonly interrupted: number
  /** Purchases that were lost, or happened twice, in words; must be empty. */
  readonly wrong: readonly string[]
}

interface Options {
  readonly variables: Readonly<Record<string, string>>
  readonly users: number
  readonly kills: number
  /** Numbers from 0 (inclusive) to 1. */
  readonly random: () => number
}

interface Account {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  /** Once a checkout was answered. */
  customer: string | null
}

const SECRET = 'a secret that signs the access tokens of tests'
const WIDGETS = 3
/** Longest time from the question that an event makes the server ask to killing it: the effect takes about so long. Milliseconds. */
const LATEST_KILL = 25
/** The most acts at Stripe in one round. */
const CHANGES = 25
const STATUSES = ['active', 'past_due', 'unpaid', 'paused', 'incomplete', 'trialing']

/**
 * Lets much happen at Stripe while the server that is told of it is killed (SIGKILL) again and again, each time while it
 * takes an event; what it has not answered is posted to the next one. Compares after each restart.
 */
export async function billingKills({ variables: storage, users, kills, random }: Options): Promise<BillingKills> {
  const stripe = await startStripeServer()
  const variables = { ...storage, ...stripe.variables, JWT_SECRET: SECRET, FREE_MAX_WIDGETS: '1' }
  const accounts = await newAccounts(storage, users)
  const wrong: string[] = []
  await addWidgets(variables, accounts)
  let server = await startServer(variables)
  // The others come while the server is killed.
  for (const account of accounts.slice(1)) await somethingHappens(stripe, server, account, random)
  try {
    for (let round = 0; round < kills; round++) {
      const victim = server
      const killed = killDuringEvent(stripe, victim, random)
      stripe.deliverTo(webhookOf(victim))
      for (let change = 0; change < CHANGES && !killed.is(); change++) {
        await somethingHappens(stripe, victim, one(accounts, random), random)
        await delay(random() * 10)
      }
      await killed.now()
      server = await startServer(variables)
      stripe.deliverTo(webhookOf(server))
      await stripe.delivered()
      for (const account of accounts)
        wrong.push(...(await differences(stripe, server, account)).map((what) => `round ${round}: ${what}`))
    }
    await server.end('SIGTERM')
    wrong.push(...(await storedWrongly(stripe, storage)))
    const attempts = stripe.account.events.flatMap(({ id }) => stripe.attempts(id))
    return {
      events: stripe.account.events.length,
      interrupted: attempts.filter((status) => status === null).length,
      wrong,
    }
  } finally {
    await server.end('SIGKILL')
    await stripe.stop()
  }
}

const webhookOf = ({ url }: ServerProcess): string => `${url}/api/v1/billing/webhook`
const one = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)]!

async function newAccounts({ DATA_DIR = '', DATABASE_URL }: Options['variables'], count: number): Promise<Account[]> {
  const users = await seedUsers(
    { dataDir: DATA_DIR, databaseUrl: DATABASE_URL, secret: SECRET },
    Array.from({ length: count }, () => ({})),
  )
  return users.map(({ user, accessToken }) => ({
    id: user.id,
    headers: { authorization: `Bearer ${accessToken}` },
    customer: null,
  }))
}

/** As many as Premium has room for here, made while the limit was another. */
async function addWidgets(variables: Options['variables'], accounts: readonly Account[]): Promise<void> {
  const server = await startServer({ ...variables, FREE_MAX_WIDGETS: String(WIDGETS) })
  for (const account of accounts) {
    for (const coin_b_id of ['ethereum', 'solana', 'ripple'].slice(0, WIDGETS)) {
      const answer = await ask(server, account, 'POST', '/widgets', { coin_a_id: 'bitcoin', coin_b_id })
      if (answer?.status !== 201) throw new Error(`POST /widgets: ${answer?.status}`)
    }
  }
  await server.end('SIGTERM')
}

/** Kills at a moment after one of the next questions to Stripe that events make the server ask. */
function killDuringEvent(stripe: StripeServer, victim: ServerProcess, random: () => number) {
  let questions = 1 + Math.floor(random() * 8)
  let dead: Promise<unknown> | null = null
  const kill = () => {
    stripe.fail(null)
    stripe.deliverTo(null)
    return (dead ??= victim.end('SIGKILL'))
  }
  stripe.fail(({ method, path }) => {
    if (method === 'GET' && path === '/v1/subscriptions') questions--
    if (questions === 0) setTimeout(() => void kill(), random() * LATEST_KILL)
    return null
  })
  return { is: () => dead !== null, now: kill }
}

/** A customer buys, pays late, pays again, cancels. A new one begins with a checkout, by the server, until that answers. */
async function somethingHappens(stripe: StripeServer, server: ServerProcess, account: Account, random: () => number) {
  const { account: stripeAccount } = stripe
  const { customer } = account
  if (customer === null) {
    const answer = await ask(server, account, 'POST', '/subscriptions/create-checkout-session')
    if (answer?.status !== 200) return
    const { session_id } = (await answer.json()) as { session_id: string }
    account.customer = stripeAccount.pay(session_id).customer
    return
  }
  const running = stripeAccount.subscriptionsOf(customer).find(({ status }) => status !== 'canceled')
  if (running === undefined) stripeAccount.subscribe(customer)
  else if (random() < 0.3) stripeAccount.cancel(running.id)
  else stripeAccount.change(running.id, { status: one(STATUSES, random), cancel_at_period_end: random() < 0.3 })
}

/** @returns null where no answer came, because the server is dead */
async function ask(
  server: ServerProcess,
  { headers }: Account,
  method: string,
  path: string,
  body?: object,
): Promise<Response | null> {
  try {
    return await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: {
        ...headers,
        'idempotency-key': crypto.randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  } catch {
    return null
  }
}

const customersOf = (stripe: StripeServer, { id }: Account) =>
  stripe.account.customers().filter(({ metadata }) => metadata['user_id'] === id)

/** Differences between the API's view of an account and Stripe's. */
async function differences(stripe: StripeServer, server: ServerProcess, account: Account): Promise<string[]> {
  const customers = customersOf(stripe, account)
  const premium = customers.some(({ id }) =>
    stripe.account.subscriptionsOf(id).some(({ status }) => isEntitling(status)),
  )
  const me = (await (await ask(server, account, 'GET', '/users/me'))?.json()) as { has_premium_access: boolean }
  const widgets = (await (await ask(server, account, 'GET', '/widgets'))?.json()) as { is_active: boolean }[]
  const active = widgets.filter(({ is_active }) => is_active).length
  return [
    ...(customers.length > 1 ? [`${account.id} is ${customers.length} customers`] : []),
    ...(me.has_premium_access === premium ? [] : [`${account.id} should be ${premium ? 'Premium' : 'free'}`]),
    ...(active === (premium ? WIDGETS : 1)
      ? []
      : [`${account.id}, ${premium ? 'Premium' : 'free'}, has ${active} active widgets`]),
  ]
}

/** Rows of events and subscriptions that should not be in the database. */
async function storedWrongly(stripe: StripeServer, { DATA_DIR = '', DATABASE_URL }: Options['variables']) {
  const database = await openDatabase({ DATA_DIR, DATABASE_URL }, testProgramFiles(), { durable: false })
  try {
    const { rows: events } = await database.pool.query<{ line: string }>('SELECT id AS line FROM billing_events')
    const { rows: subscriptions } = await database.pool.query<{ line: string }>(
      `SELECT concat_ws(' ', stripe_subscription_id, status, cancel_at_period_end::text, extract(epoch FROM current_period_end)::bigint) AS line
       FROM subscriptions`,
    )
    const all = stripe.account.customers().flatMap(({ id }) => stripe.account.subscriptionsOf(id))
    const reported = all.map(({ id, status, cancel_at_period_end, items }) =>
      [id, status, cancel_at_period_end, items.data[0]?.current_period_end].join(' '),
    )
    return [
      ...unequal(
        'event',
        stripe.account.events.map(({ id }) => id),
        events.map(({ line }) => line),
      ),
      ...unequal(
        'subscription',
        reported,
        subscriptions.map(({ line }) => line),
      ),
    ]
  } finally {
    await database.close()
  }
}

const unequal = (what: string, expected: readonly string[], found: readonly string[]): string[] => [
  ...expected.filter((line) => !found.includes(line)).map((line) => `${what} not stored: ${line}`),
  ...found
    .filter((line, at) => !expected.includes(line) || found.indexOf(line) !== at)
    .map((line) => `${what} stored, or twice: ${line}`),
]
