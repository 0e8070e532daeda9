import { hasFeature, type LocalDatabase } from '../db/database'
import { EXTREME_KINDS, UNJUDGED } from '../domain/alerts'
import { RULE_KIND_NAMES } from '../domain/rule-kinds'
import { WAY_KINDS } from '../domain/way-alerts'
import { RULE_EXPIRED } from '../domain/rule-words'

/** True where the server takes receipts of what was shown; undefined: its version has none. */
export const readReceipts = async (db: LocalDatabase): Promise<true | undefined> =>
  (await hasFeature(db, 'receipts')) || undefined

/** Digests are none of alerts, and are named with them to be sent. */
const KNOWN: readonly string[] = [...EXTREME_KINDS, ...RULE_KIND_NAMES, RULE_EXPIRED, UNJUDGED, ...WAY_KINDS, 'digest']

/** The kinds of alerts that this version knows besides those of thresholds; undefined: the server's version has none. */
export const readKinds = async (db: LocalDatabase): Promise<readonly string[] | undefined> =>
  (await hasFeature(db, 'extremes')) ? KNOWN : undefined
