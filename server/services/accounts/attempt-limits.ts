import { DAY, HOUR, MINUTE } from '../../../src/domain/granularity'
import type { Env } from '../../env'
import type { AttemptLimit } from '../attempts'

/** What an account bears, whoever asks and from wherever; how much one address may ask is limited apart from it. */
const LIMITS = {
  // Wrong passwords of one account, at most 100 in any hour: 60 of strangers, 30 of its known devices, 10 of who is signed in.
  /** At sign-in, from devices that the account does not know. */
  'log-in': { most: 10, within: MINUTE },
  'log-in-hour': { most: 60, within: HOUR },
  /** At sign-in, from one known device, and from all of them. */
  'log-in-device': { most: 10, within: MINUTE },
  'log-in-device-hour': { most: 20, within: HOUR },
  'log-in-known': { most: 30, within: HOUR },
  /** Of somebody who is signed in, when the password is changed or the account deleted, or who has opened the link of a verification mail. */
  'confirm-password': { most: 10, within: HOUR },
  /** Passkeys and recovery codes that were refused after the right password. */
  'second-factor': { most: 10, within: MINUTE },
  /** Mails that somebody can have sent to an address. */
  'verify-email': { most: 5, within: HOUR },
  'verify-email-day': { most: 10, within: DAY },
  'reset-password': { most: 5, within: HOUR },
  /** Pages of the payment provider that are opened for somebody: it limits what it is asked, too. */
  billing: { most: 30, within: HOUR },
  /** Questions to the payment provider about what somebody pays for: who has paid asks every few seconds, in each tab. */
  'billing-refresh': { most: 120, within: HOUR },
  /** Feedback of one owner, each also a mail to support. */
  feedback: { most: 10, within: DAY },
  /** The same of all owners together: guests cost nothing to make. */
  'all-feedback': { most: 1000, within: DAY },
  /** Files with everything that the server has of one owner. */
  'download-data': { most: 5, within: HOUR },
} as const satisfies Partial<Record<AttemptLimit['what'], Omit<AttemptLimit, 'what'>>>

export function attemptLimit(
  what: keyof typeof LIMITS,
  { RATE_LIMIT_FACTOR }: Pick<Env, 'RATE_LIMIT_FACTOR'>,
): AttemptLimit {
  const { most, within } = LIMITS[what]
  return { what, most: Math.max(1, Math.round(most * RATE_LIMIT_FACTOR)), within }
}
