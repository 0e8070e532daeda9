import type { AccountResult } from '../../db/account-request'
import type { Problems } from '../../ui/use-form'

/** What somebody without a password types instead, to the letter. */
export const DELETION_PHRASE = 'delete my account'

/** What is missing before the deletion can be asked for; undefined: nothing. */
export function missingProof(proof: string, hasPassword: boolean): string | undefined {
  if (hasPassword) return proof === '' ? 'Password is required.' : undefined
  return proof === DELETION_PHRASE ? undefined : `Type exactly: ${DELETION_PHRASE}`
}

const isSessionOver = (code: string | null): boolean =>
  code === 'INVALID_REFRESH_TOKEN' || code === 'INVALID_TOKEN' || code === 'UNAUTHENTICATED'

/** What to say, and where, when the server did not take it. */
export function deletionProblem(
  { status, error_code, message }: Extract<AccountResult, { readonly ok: false }>,
  hasPassword: boolean,
): Problems<'proof'> {
  // The session is over, perhaps by a deletion whose answer was lost: that says nothing about the password.
  if (isSessionOver(error_code)) return { form: message }
  if (status === 0) return { form: 'Network error. Please try again.' }
  if (hasPassword && (error_code === 'INCORRECT_PASSWORD' || status === 401)) {
    return { proof: 'The entered password is incorrect. Please try again.' }
  }
  return { form: message === '' ? 'Unable to delete account. Please try again later.' : message }
}
