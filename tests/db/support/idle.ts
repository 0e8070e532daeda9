import { liveQuery } from 'dexie'
import type { LocalDatabase } from '../../../src/db/database'
import { readWork } from '../../../src/db/queries/waiting'

/** Resolves when every earlier reader of the waiting work has seen the present state. */
export const idle = (db: LocalDatabase): Promise<unknown> =>
  new Promise((resolve, reject) => liveQuery(() => readWork(db)).subscribe(resolve, reject))
