import type { Policies } from '../../contract/policies'
import type { LocalDatabase } from '../database'
import { readMeta } from './meta'

/** A policy's text as it was last loaded; null: never. */
export async function readPolicyText(
  db: LocalDatabase,
  policy: keyof Policies,
): Promise<{ readonly version: string; readonly text: string } | null> {
  return (await readMeta(db, 'policy_texts'))?.[policy] ?? null
}
