import type { OwnerId } from '../domain/ids'
import { type LocalDatabase, readMeta, writeMeta } from './database'
import type { MetaRows } from './rows'
import { writeTransaction } from './write-transaction'

type PushRegistration = MetaRows['push']

const NONE: PushRegistration = { registered: null, off: false, stale: [], deferred: null }

/** How push reaches this device; `NONE` where the user has never switched it on or off. */
export const readPushRegistration = async (db: LocalDatabase): Promise<PushRegistration> =>
  (await readMeta(db, 'push')) ?? NONE

/** Makes the next sync register `owner` again: the server drops subscriptions with the sessions that made them. */
export const markRegistrationOutdated = (db: LocalDatabase, owner: OwnerId): Promise<void> =>
  changePushRegistration(db, ({ registered }) =>
    registered?.owner === owner ? { registered: { ...registered, outdated: true } } : null,
  )

/** Changes the registration in one transaction. @param change is given the stored state; null: nothing changes */
export async function changePushRegistration(
  db: LocalDatabase,
  change: (state: PushRegistration) => Partial<PushRegistration> | null,
): Promise<void> {
  await writeTransaction(db, [db.meta], async () => {
    const state = await readPushRegistration(db)
    const changed = change(state)
    if (changed !== null) await writeMeta(db, 'push', { ...state, ...changed })
  })
}
