/** Rows of one page of an operator's list; `X-Total-Count` holds the number of all. */
export const ADMIN_PAGE_SIZE = 20

/** Security events that the card under Settings shows at first. */
export const SECURITY_EVENTS_PAGE = 5
/** No account has more: the server keeps 200 of each of its kinds. */
export const MAX_SECURITY_EVENTS = 5000

/** Of a list of `total` rows; the first is 1, and an empty list has one as well. */
export const pageCount = (total: number): number => Math.max(1, Math.ceil(total / ADMIN_PAGE_SIZE))

/** Passkeys that one account may have. */
export const MAX_PASSKEYS = 10
/** Characters. */
export const LONGEST_PASSKEY_NAME = 60
/** Recovery codes that an account has at a time; each signs in once in place of a passkey. */
export const RECOVERY_CODES = 10

const GROUP = 5
/** Characters of a recovery code, five random bits each: more than 112 bits, so that a plain hash does (ASVS 5.0, 6.5.2). */
export const RECOVERY_CODE_LENGTH = 25
/** As earlier versions made them. */
const EARLIER_LENGTH = 20

/** As people read and type it: groups of five. */
export const formatRecoveryCode = (code: string): string =>
  Array.from({ length: code.length / GROUP }, (_, group) => code.slice(group * GROUP, (group + 1) * GROUP)).join('-')

/** A typed code without hyphens and spaces, misread characters corrected (Crockford's Base32); null: no recovery code. */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  const isWhole = code.length === RECOVERY_CODE_LENGTH || code.length === EARLIER_LENGTH
  return isWhole && /^[0-9A-HJKMNP-TV-Z]+$/.test(code) ? code : null
}

/**
 * Days for which whatever else may open an account, once it has been added, can be somebody else's whom the owner has not
 * noticed: a reset by mail removes it, and the link of a mail does so meanwhile.
 */
export const TRIAL_DAYS = 7

/** Characters. */
export const SHORTEST_PASSWORD = 8
export const LONGEST_PASSWORD = 128

/** Characters of a message, without the white space around it. */
export const SHORTEST_FEEDBACK = 10
export const LONGEST_FEEDBACK = 5000

/** Days after its registration on which an account with an unverified address is deleted. */
export const UNVERIFIED_DAYS = 7

/** Days between a user's request to delete the account and the deletion; a sign-in before that cancels it. */
export const DELETION_GRACE_DAYS = 30

/** Problem of a password that proves who the user is; the server compares it. */
export const missingPassword = (password: string): string | undefined =>
  password === '' ? 'Password is required.' : undefined

/** Problems of a password that a user chooses, and of its repetition. */
export function passwordProblems(password: string, confirmation: string) {
  return {
    password: lengthProblem(password),
    confirmation: password === confirmation ? undefined : 'Passwords do not match.',
  }
}

function lengthProblem(password: string): string | undefined {
  if (password.length < SHORTEST_PASSWORD) return `Password must be at least ${SHORTEST_PASSWORD} characters long.`
  if (password.length > LONGEST_PASSWORD) return `Password must be at most ${LONGEST_PASSWORD} characters long.`
  return undefined
}

/** Characters without the white space around the message. */
export const feedbackLength = (text: string): number => text.trim().length

/** Why a message of this length cannot be sent; null: it can. */
export function whatIsWrong(length: number): string | null {
  const missing = SHORTEST_FEEDBACK - length
  const over = length - LONGEST_FEEDBACK
  if (missing > 0) return `${missing} more ${characters(missing)} needed`
  if (over > 0) return `${over} ${characters(over)} too many`
  return null
}

const characters = (count: number): string => (count === 1 ? 'character' : 'characters')

/** True if nothing but its passkeys opens the account; earlier servers do not say whether Google does. */
export const isOpenedByPasskeys = (account: {
  readonly has_password: boolean
  readonly has_google?: boolean | undefined
}) => !account.has_password && account.has_google === false
