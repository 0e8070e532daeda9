import { and, eq } from 'drizzle-orm'
import type { CheckoutAnswer } from '../../../src/contract/billing'
import { type CheckoutOrder, type Payments, UnknownCustomer } from '../../adapters/payments/payments'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { subscriptions } from '../../db/schema/billing'
import type { Caller } from '../../plugins/identity'
import type { Account } from '../accounts/account'
import { attemptLimit } from '../accounts/attempt-limits'
import { ownAccount } from '../accounts/own-account'
import { countAttempt } from '../attempts'
import { findCustomer, makeCustomer } from './customer-of'
import { isPaidFor } from './gives-premium'
import { syncCustomer } from './sync-customer'
import { whileAvailable } from './while-available'

type Parts = Pick<AppParts, 'database' | 'env' | 'clock' | 'payments' | 'logger'>
type Selling = Parts & { readonly payments: Payments }

/**
 * Opens a page on which the caller can buy Premium. What they pay for is asked last, when no other page is open any more:
 * the news of a purchase may be on its way, or it may be made at this moment, and nobody is to pay twice. A page that is
 * told to nobody sells nothing. A grant hinders nobody.
 * @throws ApiError ALREADY_SUBSCRIBED, BILLING_UNAVAILABLE, RATE_LIMITED, TOKEN_EXPIRED
 */
export async function openCheckout(parts: Parts, caller: Caller): Promise<CheckoutAnswer> {
  const { database, env, clock } = parts
  const account = await ownAccount(database.orm, caller)
  await countAttempt(database.orm, attemptLimit('billing', env), account.id, clock())
  const { id, url } = await whileAvailable(parts, async (payments) => {
    const selling = { ...parts, payments }
    const customer = (await findCustomer(database.orm, account.id)) ?? (await makeCustomer(selling, account, null))
    const page = await openFor(selling, account, customer)
    await refuseWhoPays(selling, account)
    return page
  })
  return { session_id: id, url }
}

async function refuseWhoPays(parts: Selling, { id }: Account): Promise<void> {
  const customer = await findCustomer(parts.database.orm, id)
  if (customer !== null) await syncCustomer(parts, customer, null)
  const paid = await parts.database.orm
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.user_id, id), isPaidFor))
  if (paid.length > 0) throw new ApiError('ALREADY_SUBSCRIBED', 'You have a Premium subscription already.')
}

async function openFor(parts: Selling, account: Account, customer: string): Promise<{ id: string; url: string }> {
  const open = (customer: string) => parts.payments.createCheckout(orderOf(parts, account, customer))
  try {
    return await open(customer)
  } catch (error) {
    // Somebody has removed the customer at the provider. The account is another one from now on.
    if (!(error instanceof UnknownCustomer)) throw error
    return open(await makeCustomer(parts, account, customer))
  }
}

const orderOf = ({ env }: Parts, { id }: Account, customer: string): CheckoutOrder => ({
  customer,
  userId: id,
  successUrl: `${env.PUBLIC_URL}/checkout-success`,
  cancelUrl: `${env.PUBLIC_URL}/checkout-canceled`,
})
