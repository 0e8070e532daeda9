import { requestMail } from '../mail/queued-mail'
import type { Queryable } from '../../db/open'
import { recordSecurityEvent } from '../security-events'

/** Notes the passkeys that an account has lost, and tells its owner by one mail. Part of a transaction that holds the user's row. */
export async function tellOfRemoval(
  tx: Queryable,
  { id, email }: { readonly id: string; readonly email: string },
  names: readonly (string | null)[],
  now: number,
): Promise<void> {
  for (const about of names) await recordSecurityEvent(tx, { userId: id, kind: 'passkey-removed', about }, now)
  if (names.length > 0) await requestMail(tx, { kind: 'passkey-removed', email }, now)
}
