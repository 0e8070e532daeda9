import type { CommandContext } from '../command'
import { leaveOwner, leavingTables } from '../leave-owner'
import { writeTransaction } from '../with-room'

/**
 * Signs the user out of this browser, with or without a network: the guest comes back, and everything of the user goes,
 * changes that wait included (whoever asks has asked about them first). Other tabs follow by their live queries.
 */
export async function logOut({ db }: CommandContext): Promise<void> {
  await writeTransaction(db, leavingTables(db), async () => {
    const session = await db.session.get('current')
    if (session !== undefined) await leaveOwner(db, session, 'forget')
  })
}
