import { DELETION_GRACE_DAYS, UNVERIFIED_DAYS } from '../../../src/domain/account'
import { DAY, HOUR } from '../../../src/domain/granularity'
import { type Letter, PRODUCT } from './letter'

/** How long the links in mails work, milliseconds. */
export const LINK_LIFETIME = { 'verify-email': 24 * HOUR, 'reset-password': HOUR } as const

const NOT_YOU = 'If this was not you, you need not do anything'

export const verifyEmailLetter = (origin: string, token: string): Letter => ({
  subject: 'Confirm your email address',
  heading: 'Confirm your email address',
  paragraphs: [
    `Welcome to ${PRODUCT}. One click in the browser in which you registered, and your account is ready. Any other browser asks for the password that you chose.`,
  ],
  action: { label: 'Confirm email address', url: `${origin}/verify-email?token=${token}` },
  notes: [
    'The link works once, within 24 hours.',
    `If somebody else registered with your address, or you do not know the password, choose your own, which confirms the address as well: ${origin}/forgot-password`,
    `${NOT_YOU}: nobody can log in with your address until it is confirmed, and the account is removed after ${UNVERIFIED_DAYS} days.`,
  ],
})

export const resetPasswordLetter = (origin: string, token: string): Letter => ({
  subject: 'Reset your password',
  heading: 'Reset your password',
  paragraphs: ['Somebody, hopefully you, asked for a new password for your account.'],
  action: { label: 'Choose a new password', url: `${origin}/reset-password?token=${token}` },
  notes: [
    'The link works once, within one hour. A new password logs you out everywhere else.',
    `${NOT_YOU}: your password stays as it is.`,
  ],
})

export const passwordChangedLetter = (origin: string): Letter => ({
  subject: 'Your password was changed',
  heading: 'Your password was changed',
  paragraphs: [
    'The password of your account was changed, and every other device was logged out. Log in there with the new one.',
  ],
  action: { label: 'Log in', url: `${origin}/login` },
  notes: [`If this was not you, somebody else can read your mails or knew your password. Secure your mailbox first, then reset your password: ${origin}/forgot-password`], // prettier-ignore
})

/** @param asked when the deletion was asked for, milliseconds since 1970 */
export function deletionScheduledLetter(origin: string, asked: number): Letter {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(asked + DELETION_GRACE_DAYS * DAY) // prettier-ignore
  return {
    subject: `Your account will be deleted on ${day}`,
    heading: `Your account will be deleted on ${day}`,
    paragraphs: [
      'As you asked, you are logged out everywhere, and your account is deleted on that day with everything that belongs to it.',
      'Have you changed your mind? Logging in before then cancels the deletion.',
    ],
    action: { label: 'Log in and keep the account', url: `${origin}/login` },
    notes: ['If this was not you, log in and choose another password at once.'],
  }
}

/** @param from the account's address; null: a guest wrote */
export const feedbackLetter = (message: string, from: string | null): Letter => ({
  subject: from === null ? 'Feedback from a guest' : `Feedback from ${from}`,
  heading: from === null ? 'Feedback from a guest' : 'Feedback',
  paragraphs: [message],
  notes: [from === null ? 'Guests leave no address to answer to.' : `An answer to this mail goes to ${from}.`],
})
