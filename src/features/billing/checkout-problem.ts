import type { AskFailure } from '../../db/account-request'

/** The specification's sentence for a server that sells nothing, now or at all. */
export const NOT_SOLD = 'Payment processing is currently unavailable.'

/** Why nobody is led to the checkout, in the specification's words. */
export function checkoutProblem({ status, error_code, message }: AskFailure): string {
  if (error_code === 'BILLING_UNAVAILABLE') return NOT_SOLD
  return status === 0 ? 'Could not connect to the subscription service.' : `Error: ${message}`
}
