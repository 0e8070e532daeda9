import type { AuditEntry } from '../../contract/admin'

type Action = AuditEntry['action']

/** What was done, before and after the name of whom it was done to. */
export const ACTION_WORDS: Readonly<Record<Action, readonly [before: string, after: string]>> = {
  'grant-premium': ['Granted premium to', ''],
  'revoke-premium': ['Revoked premium of', ''],
  'appoint-superuser': ['Appointed', 'as superuser'],
  'dismiss-superuser': ['Dismissed', 'as superuser'],
}

/** The same where it is plain whom it was done to. */
export const ACTION_NAMES: Readonly<Record<Action, string>> = {
  'grant-premium': 'Granted premium',
  'revoke-premium': 'Revoked premium',
  'appoint-superuser': 'Appointed as superuser',
  'dismiss-superuser': 'Dismissed as superuser',
}

export const actorOf = ({ actor_email: actor }: AuditEntry): string => actor ?? 'the configuration or the command line'
