import type { OwnerId } from '../domain/ids'
import { type LocalDatabase, readMeta } from './database'
import type { MetaRows } from './rows'
import { changeMeta } from './write-transaction'

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
export const changePushRegistration = (
  db: LocalDatabase,
  change: (state: PushRegistration) => Partial<PushRegistration> | null,
): Promise<void> =>
  changeMeta(db, 'push', (state = NONE) => {
    const changed = change(state)
    return changed && { ...state, ...changed }
  })
