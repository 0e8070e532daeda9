import { closeWaysIn } from '../accounts/ways-in'
import { followLink } from '../accounts/email-links'
import { commitChange } from '../revisions'
import { recordSecurityEvent } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import { tellOfRemoval } from './tell-of-removal'

/**
 * Removes a passkey by the link of the mail that told of it: the reader of the mailbox says that somebody else added it.
 * The one who did so has a session and may have read the recovery codes, so that all of both end as well. A password or a Google
 * account that is theirs goes with a reset, which the page then offers.
 * @returns the address of the account
 * @throws ApiError INVALID_LINK
 */
export async function disownPasskey(
  { database, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  token: string,
): Promise<string> {
  const now = clock()
  const { value } = await commitChange(database, now, async (tx) => {
    const { id, email, passkey_id: passkey } = await followLink(tx, 'remove-passkey', token, now)
    // A thief may have removed it meanwhile: what they added beside it, and their session, are still there.
    const removed = await closeWaysIn(tx, id, { kind: 'disowned-passkey', passkey }, now)
    await recordSecurityEvent(tx, { userId: id, kind: 'sessions-ended-by-mail' }, now)
    await tellOfRemoval(tx, { id, email }, removed, now)
    return email
  })
  return value
}
