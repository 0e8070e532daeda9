import { and, eq, sql } from 'drizzle-orm'
import type { CheckoutAnswer, PortalAnswer } from '../../../src/contract/billing'
import type { User } from '../../../src/contract/session'
import { type Payments, UnknownCustomer } from '../../adapters/payments/payments'
import { ApiError } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { billing_customers, billing_removals, subscriptions } from '../../db/schema/billing'
import { ownAccount, readOwnAccount, requireVerified, type UserAccount } from '../accounts/account'
import { attemptAt, countAttempt } from '../attempts'
import { type Caller, withUserLock } from '../owners'
import type { ServiceDeps } from '../service-deps'
import { whileAvailable } from './payment-provider'
import { syncCustomer } from './sync-customer'
import { isPaidFor } from './tier'

type OwnSubscriptionDeps = Pick<ServiceDeps, 'database' | 'env' | 'clock' | 'payments' | 'logger'>
type Selling = OwnSubscriptionDeps & { readonly payments: Payments }

/**
 * Opens a page on which the caller can buy Premium. The provider is asked last for the caller's subscriptions, when no
 * other page is open any more: a purchase may be made at this moment, and no user is to pay twice. A page whose address no
 * browser gets sells nothing. A grant hinders no purchase.
 * @throws ApiError EMAIL_NOT_VERIFIED, ALREADY_SUBSCRIBED, BILLING_UNAVAILABLE, RATE_LIMITED, TOKEN_EXPIRED
 */
export async function openCheckout(deps: OwnSubscriptionDeps, caller: Caller): Promise<CheckoutAnswer> {
  const { database, env, clock } = deps
  const account = await ownAccount(database.orm, caller)
  requireVerified(account)
  await countAttempt(database.orm, attemptAt('billing', { user: account.id }, env), clock())
  const { id, url } = await whileAvailable(deps, async (payments) => {
    const selling = { ...deps, payments }
    const customer = (await findCustomer(database.orm, account.id)) ?? (await makeCustomer(selling, account, null))
    const open = (customer: string) =>
      payments.createCheckout({
        customer,
        userId: account.id,
        successUrl: `${env.PUBLIC_URL}/checkout-success`,
        cancelUrl: `${env.PUBLIC_URL}/checkout-canceled`,
      })
    const page = await open(customer).catch(async (error: unknown) => {
      // An operator has removed the customer at the provider. The account gets another customer.
      if (!(error instanceof UnknownCustomer)) throw error
      return open(await makeCustomer(selling, account, customer))
    })
    await refuseWhoPays(selling, account)
    return page
  })
  return { session_id: id, url }
}

async function refuseWhoPays(deps: Selling, { id }: UserAccount): Promise<void> {
  const customer = await findCustomer(deps.database.orm, id)
  if (customer !== null) await syncCustomer(deps, customer, null)
  const paid = await deps.database.orm
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.user_id, id), isPaidFor))
  if (paid.length > 0) throw new ApiError('ALREADY_SUBSCRIBED', 'You have a Premium subscription already.')
}

/**
 * Opens a page on which the caller manages what they have bought.
 * @throws ApiError NO_SUBSCRIPTION where they never bought anything, BILLING_UNAVAILABLE, RATE_LIMITED, TOKEN_EXPIRED
 */
export async function openPortal(deps: OwnSubscriptionDeps, caller: Caller): Promise<PortalAnswer> {
  const { database, env, clock } = deps
  const account = await ownAccount(database.orm, caller)
  await countAttempt(database.orm, attemptAt('billing', { user: account.id }, env), clock())
  return whileAvailable(deps, async (payments) => {
    const customer = await findCustomer(database.orm, account.id)
    if (customer === null) throw nothingBought()
    try {
      return await payments.createPortal({ customer, returnUrl: `${env.PUBLIC_URL}/settings` })
    } catch (error) {
      throw error instanceof UnknownCustomer ? nothingBought() : error
    }
  })
}

const nothingBought = () =>
  new ApiError('NO_SUBSCRIPTION', 'There is no subscription to manage: nothing has been bought.')

/**
 * The caller's account, after the payment provider was asked what they pay for: its event may come later. An account that
 * never opened the checkout is answered without a question to the provider.
 * @throws ApiError BILLING_UNAVAILABLE, RATE_LIMITED, TOKEN_EXPIRED
 */
export async function refreshSubscription(deps: OwnSubscriptionDeps, caller: Caller): Promise<User> {
  const { database, env, clock } = deps
  const account = await ownAccount(database.orm, caller)
  const customer = await findCustomer(database.orm, account.id)
  if (customer !== null) {
    await countAttempt(database.orm, attemptAt('billing-refresh', { user: account.id }, env), clock())
    await whileAvailable(deps, (payments) => syncCustomer({ ...deps, payments }, customer, null))
  }
  return readOwnAccount(deps, caller)
}

/** Id of the account's customer at the payment provider; null: it never opened the checkout. */
async function findCustomer(db: Queryable, user: string): Promise<string | null> {
  const [row] = await db
    .select({ id: billing_customers.customer_id })
    .from(billing_customers)
    .where(eq(billing_customers.user_id, user))
  return row?.id ?? null
}

/**
 * Makes an account a customer, and stores that: only then something may be sold to it, since events name the customer.
 * @param replaces the customer whom the provider has forgotten; null: there was none
 * @throws ApiError TOKEN_EXPIRED where the account is gone
 */
export async function makeCustomer(
  deps: Omit<Selling, 'env'>,
  account: UserAccount,
  replaces: string | null,
): Promise<string> {
  const { database, payments, clock } = deps
  const customer_id = await payments.createCustomer({ id: account.id, email: account.email, replaces })
  const now = clock()
  const synced_at = new Date(now)
  const stored = await withUserLock(database, account.id, now, async (tx) => {
    const before = and(eq(billing_customers.user_id, account.id), eq(billing_customers.customer_id, replaces ?? ''))
    await tx
      .update(billing_customers)
      .set({ customer_id, version: sql`${billing_customers.version} + 1` })
      .where(before)
    await tx.insert(billing_customers).values({ user_id: account.id, customer_id, synced_at }).onConflictDoNothing()
    return findCustomer(tx, account.id)
  })
  if (stored != null) return stored
  await database.orm.insert(billing_removals).values({ customer_id, next_attempt_at: synced_at }).onConflictDoNothing()
  throw new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')
}
