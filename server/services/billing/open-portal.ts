import type { PortalAnswer } from '../../../src/contract/billing'
import { UnknownCustomer } from '../../adapters/payments/payments'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import type { Caller } from '../../plugins/identity'
import { attemptLimit } from '../accounts/attempt-limits'
import { ownAccount } from '../accounts/own-account'
import { countAttempt } from '../attempts'
import { findCustomer } from './customer-of'
import { whileAvailable } from './while-available'

type Parts = Pick<AppParts, 'database' | 'env' | 'clock' | 'payments' | 'logger'>

/**
 * Opens a page on which the caller manages what they have bought.
 * @throws ApiError NO_SUBSCRIPTION where they never bought anything, BILLING_UNAVAILABLE, RATE_LIMITED, TOKEN_EXPIRED
 */
export async function openPortal(parts: Parts, caller: Caller): Promise<PortalAnswer> {
  const { database, env, clock } = parts
  const account = await ownAccount(database.orm, caller)
  await countAttempt(database.orm, attemptLimit('billing', env), account.id, clock())
  return whileAvailable(parts, async (payments) => {
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
