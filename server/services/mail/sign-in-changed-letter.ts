import type { Letter } from './letter'

export type SignInChange =
  'google-linked' | 'google-unlinked' | 'passkey-added' | 'passkey-removed' | 'recovery-code-used'

interface Words {
  readonly subject: string
  readonly text: string
}

const WORDS: Readonly<Record<SignInChange, Words>> = {
  'google-linked': {
    subject: 'Google login was added',
    text: 'A Google account was linked with your account and can log in to it from now on.',
  },
  'google-unlinked': {
    subject: 'Google login was removed',
    text: 'Google can no longer log in to your account. Your password still can.',
  },
  'passkey-added': {
    subject: 'A passkey was added',
    text: 'Logging in to your account asks for a passkey from now on, besides your password or Google.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed',
    text: 'A passkey can no longer be used for your account. When the last one is gone, logging in does not ask for a passkey.', // prettier-ignore
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    text: 'Somebody logged in to your account with one of its recovery codes in place of a passkey. The code cannot be used again.', // prettier-ignore
  },
}

/** Tells the owner of a change in how to sign in, which they may not have made themselves. */
export function signInChangedLetter(origin: string, change: SignInChange): Letter {
  const { subject, text } = WORDS[change]
  return {
    subject,
    heading: subject,
    paragraphs: [text],
    action: { label: 'Open Settings', url: `${origin}/settings` },
    notes: [`If this was not you, choose another password at once, which ends every session, then look at the passkeys and at Google in Settings: ${origin}/forgot-password`], // prettier-ignore
  }
}
