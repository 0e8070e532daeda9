import type { User } from '../../contract/session'
import type { OwnerId } from '../../domain/ids'
import type { LocalDatabase } from '../database'

const WELCOME_BACK = 'Welcome back! Your scheduled account deletion has been cancelled.'

/** By what was known of a user their account was to be deleted, and it is not any more. */
export const isDeletionCancelled = (known: User | null, user: User): boolean =>
  known !== null && known.deletion_scheduled_at !== null && user.deletion_scheduled_at === null

/** @param now milliseconds */
export async function leaveWelcome(db: LocalDatabase, owner: OwnerId, now: number): Promise<void> {
  await db.notices.add({ owner, kind: 'success', message: WELCOME_BACK, at: now })
}
