import type { OwnerId } from '../../domain/ids'
import type { CommandContext } from '../command'
import { leaveOwner, leavingTables } from '../leave-owner'
import { writeTransaction } from '../with-room'

/**
 * Goes on as the guest after the server has ended a session. What the user did meanwhile is kept, and goes on at their
 * next login in this browser; until then nobody sees it and nothing of it is sent.
 * @param owner whose session it was: another tab may have been faster, and somebody else be signed in by now
 */
export async function leaveExpiredSession({ db }: CommandContext, owner: OwnerId): Promise<void> {
  await writeTransaction(db, leavingTables(db), async () => {
    const session = await db.session.get('current')
    if (session?.owner === owner) await leaveOwner(db, session, 'keep')
  })
}
