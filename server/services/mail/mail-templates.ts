import { DELETION_GRACE_DAYS, TRIAL_DAYS, UNVERIFIED_DAYS } from '../../../src/domain/account'
import { DAY, HOUR } from '../../../src/domain/granularity'

/** Content of a mail, in a form that becomes plain text as well as HTML. */
export interface MailTemplate {
  readonly subject: string
  /** Absent: the subject. */
  readonly heading?: string | undefined
  /** Before the button. May hold anything that people typed. */
  readonly paragraphs: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
  /** After the button, smaller. */
  readonly notes: readonly string[]
}

export const PRODUCT = 'Crypto Ratio Tracker'

export function templateAsText({ subject, heading = subject, paragraphs, action, notes }: MailTemplate): string {
  const link = action === undefined ? [] : [`${action.label}:\n${action.url}`]
  return `${[heading, ...paragraphs, ...link, ...notes, `-- \n${PRODUCT}`].join('\n\n')}\n`
}

/** Text as it may stand in HTML, in an attribute's quotes as well. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')

/** Mail programs know tables and inline styles, and little else. */
export function templateAsHtml({ subject, heading = subject, paragraphs, action, notes }: MailTemplate): string {
  const body = paragraphs.map((text) => `<p style="margin:0 0 16px">${lines(text)}</p>`).join('\n')
  const small = notes
    .map((text) => `<p style="margin:0 0 12px;font-size:13px;line-height:20px;color:#545c6b">${lines(text)}</p>`)
    .join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;background:#f3f4f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e1e4ea;border-radius:12px">
<tr><td style="padding:32px;font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:16px;line-height:24px;color:#171a21">
<p style="margin:0 0 24px;font-size:13px;line-height:20px;font-weight:600;color:#4f3ad6">${PRODUCT}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:680">${escapeHtml(heading)}</h1>
${body}${action === undefined ? '' : `\n${button(action)}`}
${small}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** The link stands below in full: some people do not trust buttons, and some programs do not show them. */
const button = ({ label, url }: NonNullable<MailTemplate['action']>): string =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 24px;background:#5b45e0;border-radius:8px;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="margin:0 0 24px;font-size:13px;line-height:20px;color:#545c6b">Or open this address:<br><a href="${escapeHtml(url)}" style="color:#4f3ad6;word-break:break-all">${escapeHtml(url)}</a></p>`

/** How long the links in mails work, milliseconds. */
export const LINK_LIFETIME = {
  'verify-email': 24 * HOUR,
  'reset-password': HOUR,
  'remove-passkey': TRIAL_DAYS * DAY,
} as const

const NOT_YOU = 'If this was not you, you need not do anything'

export const verifyEmailTemplate = (origin: string, token: string): MailTemplate => ({
  subject: 'Confirm your email address',
  paragraphs: [
    `Welcome to ${PRODUCT}. One click in the browser in which you registered, and your account is ready. Any other browser asks for your password, and lets you set one by mail if you have none.`,
  ],
  action: { label: 'Confirm email address', url: `${origin}/verify-email?token=${token}` },
  notes: [
    'The link works once, within 24 hours.',
    `If somebody else registered with your address, or you do not know the password, choose your own, which confirms the address as well: ${origin}/forgot-password`,
    `${NOT_YOU}: until your address is confirmed, the account opens in the browser that made it alone, and it is removed after ${UNVERIFIED_DAYS} days.`,
  ],
})

export const resetPasswordTemplate = (origin: string, token: string): MailTemplate => ({
  subject: 'Reset your password',
  paragraphs: ['Somebody, hopefully you, asked for a new password for your account.'],
  action: { label: 'Choose a new password', url: `${origin}/reset-password?token=${token}` },
  notes: [
    'The link works once, within one hour. A new password logs you out everywhere else.',
    `${NOT_YOU}: your password stays as it is.`,
  ],
})

export const passwordChangedTemplate = (origin: string): MailTemplate => ({
  subject: 'Your password was changed',
  paragraphs: [
    'The password of your account was changed, and every other device was logged out. Log in there with the new one.',
  ],
  action: { label: 'Log in', url: `${origin}/login` },
  notes: [
    `If this was not you, somebody else can read your mails or knew your password. Secure your mailbox first, then reset your password: ${origin}/forgot-password`,
  ],
})

/** @param asked when the deletion was asked for, milliseconds since 1970 */
export function deletionScheduledTemplate(origin: string, asked: number): MailTemplate {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    asked + DELETION_GRACE_DAYS * DAY,
  )
  return {
    subject: `Your account will be deleted on ${day}`,
    paragraphs: [
      'As you asked, you are logged out everywhere, and your account is deleted on that day with everything that belongs to it.',
      'Have you changed your mind? Logging in before then cancels the deletion.',
    ],
    action: { label: 'Log in and keep the account', url: `${origin}/login` },
    notes: ['If this was not you, log in and choose another password at once.'],
  }
}

/** @param from the account's address; null: a guest wrote */
export const feedbackTemplate = (message: string, from: string | null): MailTemplate => ({
  subject: from === null ? 'Feedback from a guest' : `Feedback from ${from}`,
  heading: from === null ? undefined : 'Feedback',
  paragraphs: [message],
  notes: [from === null ? 'Guests leave no address to answer to.' : `An answer to this mail goes to ${from}.`],
})

/** A browser, such as "Chrome on Android" (null: unknown), and the time of its event, milliseconds since 1970. */
interface MailedDevice {
  readonly label: string | null
  readonly at: number
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const timeOf = (at: number): string => `${moment.format(at)} UTC`
const nameOf = (label: string | null): string => label ?? 'an unknown browser'

/** @param at when the first attempt was refused, milliseconds since 1970 */
export const lockedOutTemplate = (origin: string, at: number): MailTemplate => ({
  subject: 'Too many wrong passwords for your account',
  paragraphs: [
    `Since ${timeOf(at)}, so many wrong passwords have been tried for your account that logins from unknown devices are refused for up to an hour. Nobody got in.`,
    'Devices on which you have logged in before are not affected: you can go on using the app there, and log in as ever.',
    'If you cannot log in on a new device meanwhile, choose a new password on it. That device is known from then on.',
  ],
  action: { label: 'Choose a new password', url: `${origin}/forgot-password` },
  notes: ['If you mistyped your password yourself, you need not do anything. We send this mail at most once a day.'],
})

export const newDeviceTemplate = (origin: string, { label, at }: MailedDevice): MailTemplate => ({
  subject: 'New login to your account',
  paragraphs: [
    `Your account was logged in to on a device that we did not know: ${nameOf(label)}, ${timeOf(at)}.`,
    'If this was you, you need not do anything.',
  ],
  action: { label: 'See your devices', url: `${origin}/settings` },
  notes: [`If this was not you, choose a new password at once, which logs out every device: ${origin}/forgot-password`],
})

export const sessionStolenTemplate = (origin: string, { label, at }: MailedDevice): MailTemplate => ({
  subject: 'We logged out one of your devices',
  paragraphs: [
    `The login of ${nameOf(label)} was used from two places, as happens when somebody has copied it. We noticed that at ${timeOf(at)}; it has ended for both. Your pairs and alerts are as you left them.`,
    'Log in again on that device, and look through the list of your devices.',
  ],
  action: { label: 'See your devices', url: `${origin}/settings` },
  notes: [
    `If you think that somebody has had access to your device or your account, choose a new password, which logs out every device: ${origin}/forgot-password`,
  ],
})

export const sessionExpiredTemplate = (origin: string, label: string | null): MailTemplate => ({
  subject: 'Alerts no longer reach one of your devices',
  paragraphs: [
    `You were logged out on ${nameOf(label)}, because the app was not opened there for a long time or the last login there is half a year ago. Until you log in again, it gets no notifications about your pairs.`,
  ],
  action: { label: 'Log in', url: `${origin}/login` },
  notes: ['If you no longer use that device, you need not do anything.'],
})

/** A password set by mail closes what a stranger may have opened, and says what it removes. */
const SECURE = (origin: string): string =>
  `If this was not you, choose another password by mail at once: ${origin}/forgot-password. That logs out every device, and removes passkeys and a Google login that were added within the last ${TRIAL_DAYS} days.`

/**
 * @param name the passkey's; null: it is gone already
 * @param token of the link that removes it, and ends all sessions, which a thief who has removed it may still have
 */
export const passkeyAddedTemplate = (
  origin: string,
  { label, at }: MailedDevice,
  name: string | null,
  token: string,
): MailTemplate => ({
  subject: 'A passkey was added',
  paragraphs: [
    name === null
      ? `A passkey was added to your account, and is gone again: ${timeOf(at)}, on ${nameOf(label)}.`
      : `The passkey “${name}” was added to your account: ${timeOf(at)}, on ${nameOf(label)}.`,
    'Logging in asks for a passkey while there is one, besides your password or Google. If this was you, you need not do anything.',
  ],
  action: { label: 'This was not me', url: `${origin}/remove-passkey?token=${token}` },
  notes: [
    `The link removes the passkey and logs out every device, after it has asked you. It works once, within ${TRIAL_DAYS} days.`,
    SECURE(origin),
  ],
})

export type SignInChange =
  | 'google-linked'
  | 'google-alone'
  | 'google-unlinked'
  | 'passkey-removed'
  | 'recovery-code-used'

const WORDS: Readonly<Record<SignInChange, { readonly subject: string; readonly text: string }>> = {
  'google-linked': {
    subject: 'Google login was added',
    text: 'A Google account was linked with your account and can log in to it from now on.',
  },
  'google-alone': {
    subject: 'Google login was added',
    text: 'Your account is opened by your Google account from now on. The password that was set before no longer works, since somebody else may have chosen it, and every other device was logged out. You can set another password with the link of a mail.',
  },
  'google-unlinked': {
    subject: 'Google login was removed',
    text: 'Google can no longer log in to your account. Your password still can.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed',
    text: 'A passkey can no longer be used for your account. When the last one is gone, logging in does not ask for a passkey.',
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    text: 'Somebody logged in to your account with one of its recovery codes in place of a passkey. The code cannot be used again.',
  },
}

/** Tells the owner of a change in how to sign in, which they may not have made themselves. */
export function signInChangedTemplate(origin: string, change: SignInChange): MailTemplate {
  const { subject, text } = WORDS[change]
  return {
    subject,
    paragraphs: [text],
    action: { label: 'Open Settings', url: `${origin}/settings` },
    notes: [SECURE(origin)],
  }
}

/** @param lines one for each crossing; @param unsubscribe stops these mails */
interface AlertsText {
  readonly title: string
  readonly lines: readonly string[]
  /** That of a link, or of the list of alerts. */
  readonly url: string
  readonly links: readonly { readonly label: string; readonly url: string }[]
}

export const alertsTemplate = (
  origin: string,
  { title, lines, url, links }: AlertsText,
  unsubscribe: string,
): MailTemplate => ({
  subject: lines.length === 1 ? lines.join('') : title,
  heading: title,
  paragraphs: lines,
  action: { label: links.find((link) => link.url === url)?.label ?? 'All alerts', url },
  notes: [
    `You get this because mail is one of your ways to be told of alerts: ${origin}/settings`,
    `Stop these mails: ${unsubscribe}`,
  ],
})

/** @param way such as "the webhook at hooks.example" */
export const wayOffTemplate = (origin: string, way: string): MailTemplate => ({
  subject: 'Alerts no longer reach one of your ways',
  paragraphs: [
    `Alerts are no longer sent to ${way}: it has failed for five days, or it asks for no more. Your other ways go on.`,
  ],
  action: { label: 'Open Settings', url: `${origin}/settings` },
  notes: ['Settings says what was last answered, sends a test, and switches it on again.'],
})

export const deviceSilentTemplate = (origin: string, label: string | null): MailTemplate => ({
  subject: 'One of your devices shows no alerts',
  paragraphs: [
    `${label ?? 'One of your devices'} has not shown the last 3 alerts that were sent to it. Your other ways go on.`,
    'Open the app there, and check whether the device still lets it notify you.',
  ],
  action: { label: 'See your devices', url: `${origin}/settings` },
  notes: ['This is said once, until the device shows an alert again.'],
})

/** @param sentences one a line; none: all is well again */
export const operatorsTemplate = (origin: string, sentences: string): MailTemplate => ({
  subject: `${sentences === '' ? 'All is well again' : 'There is something to look at'} on ${new URL(origin).host}`,
  paragraphs: sentences === '' ? ['Of all that the last mail told, nothing is left.'] : sentences.split('\n'),
  action: { label: 'Open Operations', url: `${origin}/admin` },
  notes: ['Superusers get this mail when that list changes, at most once an hour.'],
})
