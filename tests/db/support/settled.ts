import { liveQuery } from 'dexie'
import type { LocalDatabase } from '../../../src/db/database'
import { readWork } from '../../../src/db/queries/waiting'

/** Resolves when whoever began to follow the work before this has seen what is there now. */
export const settled = (db: LocalDatabase): Promise<unknown> =>
  new Promise((resolve, reject) => liveQuery(() => readWork(db)).subscribe(resolve, reject))
