import { type LocalDatabase, readMeta } from '../db/database'
import { EXTREME_KINDS } from '../domain/alerts'

/** The kinds of alerts that this version knows besides those of thresholds; undefined: the server's version has none. */
export const readKinds = async (db: LocalDatabase): Promise<readonly string[] | undefined> =>
  (await readMeta(db, 'config'))?.config.alert_features?.includes('extremes') === true ? EXTREME_KINDS : undefined
