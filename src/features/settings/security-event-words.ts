import { KeyRound, LogIn, LogOut, type LucideIcon, ShieldAlert, ShieldCheck, UserX } from 'lucide-react'
import type { SecurityEvent } from '../../contract/security-events'

interface EventWords {
  readonly icon: LucideIcon
  /** True: hardly the user themselves. */
  readonly alarming?: true
  readonly words: string | ((about: string | null) => string)
}

const named = (before: string, about: string | null, after: string): string =>
  about === null ? `${before} ${after}` : `${before} “${about}” ${after}`
const browserOf = (about: string | null): string => about ?? 'an unknown browser'

const EVENTS: Readonly<Record<SecurityEvent['kind'], EventWords>> = {
  'signed-in-password': { icon: LogIn, words: 'Logged in with your password' },
  'signed-in-google': { icon: LogIn, words: 'Logged in with Google' },
  'signed-in-passkey': { icon: LogIn, words: 'Logged in with a passkey' },
  'signed-in-recovery-code': { icon: LogIn, words: 'Logged in with a recovery code' },
  'second-factor-failed': {
    icon: ShieldAlert,
    alarming: true,
    words: 'Login refused: no valid passkey or recovery code',
  },
  'passkey-added': { icon: KeyRound, words: (about) => named('Passkey', about, 'added') },
  'passkey-removed': { icon: KeyRound, words: (about) => named('Passkey', about, 'removed') },
  'passkeys-removed-by-operator': { icon: KeyRound, words: 'All passkeys removed by an operator' },
  'recovery-codes-renewed': { icon: KeyRound, words: 'New recovery codes made' },
  'password-changed': { icon: KeyRound, words: 'Password changed, all other devices logged out' },
  'password-reset': { icon: KeyRound, words: 'Password reset by mail, all devices logged out' },
  'google-linked': { icon: KeyRound, words: 'Google account linked' },
  'google-alone': {
    icon: KeyRound,
    words: 'Google opens the account alone: password removed, all other devices logged out',
  },
  'google-unlinked': { icon: KeyRound, words: 'Google account unlinked' },
  'email-verified': { icon: ShieldCheck, words: 'Email address verified' },
  'logged-out': { icon: LogOut, words: 'Logged out' },
  'session-ended': { icon: LogOut, words: (about) => `Logged out ${browserOf(about)} from another device` },
  'other-sessions-ended': { icon: LogOut, words: 'Logged out everywhere else' },
  'sessions-ended-by-operator': { icon: LogOut, words: 'Logged out everywhere by an operator' },
  'sessions-ended-by-mail': { icon: LogOut, words: 'Logged out everywhere by the link of a mail' },
  'session-stolen': {
    icon: ShieldAlert,
    alarming: true,
    words: (about) => `Logged out ${browserOf(about)}: somebody else may have used its login`,
  },
  'deletion-scheduled': { icon: UserX, words: 'Deletion of the account asked for, all devices logged out' },
  'deletion-cancelled': { icon: UserX, words: 'Deletion of the account cancelled by a login' },
  'superuser-appointed': { icon: ShieldCheck, words: 'Made a superuser' },
  'superuser-dismissed': { icon: ShieldCheck, words: 'No superuser any more' },
  other: { icon: ShieldCheck, words: 'An event that this version of the app does not know' },
}

/** An event as its user reads it. */
export function eventWordsOf({ kind, about }: Pick<SecurityEvent, 'kind' | 'about'>) {
  const { icon, words, alarming = false } = EVENTS[kind]
  return { icon, alarming, sentence: typeof words === 'string' ? words : words(about) }
}
