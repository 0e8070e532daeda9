import type { User } from '../../../src/contract/session'
import type { AppParts } from '../../app-parts'
import type { Caller } from '../../plugins/identity'
import { attemptLimit } from '../accounts/attempt-limits'
import { ownAccount, readOwnAccount } from '../accounts/own-account'
import { countAttempt } from '../attempts'
import { findCustomer } from './customer-of'
import { syncCustomer } from './sync-customer'
import { whileAvailable } from './while-available'

type Parts = Pick<AppParts, 'database' | 'env' | 'clock' | 'payments' | 'logger'>

/**
 * The caller's account, after the payment provider was asked what they pay for: its event may come later. An account that
 * never opened the checkout is answered without a question to the provider.
 * @throws ApiError BILLING_UNAVAILABLE, RATE_LIMITED, TOKEN_EXPIRED
 */
export async function refreshSubscription(parts: Parts, caller: Caller): Promise<User> {
  const { database, env, clock } = parts
  const account = await ownAccount(database.orm, caller)
  const customer = await findCustomer(database.orm, account.id)
  if (customer !== null) {
    await countAttempt(database.orm, attemptLimit('billing-refresh', env), account.id, clock())
    await whileAvailable(parts, (payments) => syncCustomer({ ...parts, payments }, customer, null))
  }
  return readOwnAccount(parts, caller)
}
