import { type LocalDatabase, readMeta } from '../db/database'
import type { AlertFeature } from '../contract/settings'
import { EXTREME_KINDS } from '../domain/alerts'

const hasFeature = async (db: LocalDatabase, feature: AlertFeature): Promise<boolean> =>
  (await readMeta(db, 'config'))?.config.alert_features?.includes(feature) === true

/** True where the server takes receipts of what was shown; undefined: its version has none. */
export const readReceipts = async (db: LocalDatabase): Promise<true | undefined> =>
  (await hasFeature(db, 'receipts')) || undefined

/** Digests are none of alerts, and are named with them to be sent. */
const KNOWN: readonly string[] = [...EXTREME_KINDS, 'digest']

/** The kinds of alerts that this version knows besides those of thresholds; undefined: the server's version has none. */
export const readKinds = async (db: LocalDatabase): Promise<readonly string[] | undefined> =>
  (await hasFeature(db, 'extremes')) ? KNOWN : undefined
