import type { LocalDatabase } from '../database'
import type { SessionRow } from '../rows'

/** Undefined before `ensureIdentity` has run once. */
export const readSession = (db: LocalDatabase): Promise<SessionRow | undefined> => db.session.get('current')
