import type { Letter } from './letter'

/** Facts about a device for a mail about the device. */
export interface DeviceFacts {
  /** Such as "Chrome on Android"; null: unknown. */
  readonly label: string | null
  /** When it happened, milliseconds since 1970. */
  readonly at: number
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const timeOf = (at: number): string => `${moment.format(at)} UTC`
const nameOf = (label: string | null): string => label ?? 'an unknown browser'

/** @param at when the first attempt was refused, milliseconds since 1970 */
export const lockedOutLetter = (origin: string, at: number): Letter => ({
  subject: 'Too many wrong passwords for your account',
  heading: 'Too many wrong passwords for your account',
  paragraphs: [
    `Since ${timeOf(at)}, so many wrong passwords have been tried for your account that logins from unknown devices are refused for up to an hour. Nobody got in.`,
    'Devices on which you have logged in before are not affected: you can go on using the app there, and log in as ever.',
    'If you cannot log in on a new device meanwhile, choose a new password on it. That device is known from then on.',
  ],
  action: { label: 'Choose a new password', url: `${origin}/forgot-password` },
  notes: ['If you mistyped your password yourself, you need not do anything. We send this mail at most once a day.'],
})

export const newDeviceLetter = (origin: string, { label, at }: DeviceFacts): Letter => ({
  subject: 'New login to your account',
  heading: 'New login to your account',
  paragraphs: [
    `Your account was logged in to on a device that we did not know: ${nameOf(label)}, ${timeOf(at)}.`,
    'If this was you, you need not do anything.',
  ],
  action: { label: 'See your devices', url: `${origin}/settings` },
  notes: [`If this was not you, choose a new password at once, which logs out every device: ${origin}/forgot-password`],
})

export const sessionStolenLetter = (origin: string, { label, at }: DeviceFacts): Letter => ({
  subject: 'We logged out one of your devices',
  heading: 'We logged out one of your devices',
  paragraphs: [
    `The login of ${nameOf(label)} was used from two places at once, as happens when somebody has copied it. We ended it for both at ${timeOf(at)}. Your pairs and alerts are as you left them.`,
    'Log in again on that device, and look through the list of your devices.',
  ],
  action: { label: 'See your devices', url: `${origin}/settings` },
  notes: [
    `If you think that somebody has had access to your device or your account, choose a new password, which logs out every device: ${origin}/forgot-password`,
  ],
})

export const sessionExpiredLetter = (origin: string, { label }: Pick<DeviceFacts, 'label'>): Letter => ({
  subject: 'Alerts no longer reach one of your devices',
  heading: 'Alerts no longer reach one of your devices',
  paragraphs: [
    `You were logged out on ${nameOf(label)}, because the app was not opened there for a long time or the last login there is half a year ago. Until you log in again, it gets no notifications about your pairs.`,
  ],
  action: { label: 'Log in', url: `${origin}/login` },
  notes: ['If you no longer use that device, you need not do anything.'],
})
