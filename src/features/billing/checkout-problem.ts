import type { CallFailure } from '../../db/call'
import { sentenceOf } from '../../state/calls'

/** The specification's sentence for a server that sells nothing, now or at all. */
export const NOT_SOLD = 'Payment processing is currently unavailable.'

/** Why nobody is led to the checkout, in the specification's words. */
export function checkoutProblem(failure: CallFailure): string {
  if (failure.error_code === 'BILLING_UNAVAILABLE') return NOT_SOLD
  return sentenceOf(
    { ...failure, message: `Error: ${failure.message}` },
    '',
    'Could not connect to the subscription service.',
  )
}
