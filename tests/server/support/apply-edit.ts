import { createHash } from 'node:crypto'
import type { Database } from '../../../server/db/open'
import { ApiError } from '../../../server/http/api-error'
import { createAnonymousCheckpoint } from '../../../server/services/checkpoints/checkpoints'
import type { ChangeRequest } from '../../../server/services/operations'
import { createRule, deleteRule, updateRule } from '../../../server/services/rules/own-rules'
import type { TapedEdit } from './rules-tape'

/** The hash by which the owner of a taped widget is known. */
export const ownerHash = (widget: number): string => createHash('sha256').update(String(widget)).digest('base64url')

const NO_RULE = '00000000-0000-0000-0000-000000000000'

/** Makes a taped edit, if an earlier try has not. @returns the id of the rule that it makes; null: it makes none */
export async function applyEdit(database: Database, edit: TapedEdit, now: number): Promise<string | null> {
  const { widget, op, what } = edit
  const anonymousHash = ownerHash(widget)
  const request: ChangeRequest = { caller: { kind: 'guest', anonymousHash }, op, asked: [edit], parsed: [edit], now }
  const { rows } = await database.pool.query<{ id: string; rule_id: string | null }>(
    `SELECT w.id, r.id AS rule_id FROM owners o JOIN widgets w ON w.owner_id = o.id
     LEFT JOIN alert_rules r ON r.widget_id = w.id AND r.measure IS NOT NULL WHERE o.anonymous_hash = $1`,
    [anonymousHash],
  )
  const { id, rule_id } = rows[0]!
  const params = { id, rule_id: rule_id ?? NO_RULE }
  try {
    switch (what) {
      case 'create':
        return (await createRule({ database }, request, id, edit.body)).value.id
      case 'update':
        await updateRule({ database }, request, params, edit.body)
        return null
      case 'remove':
        await deleteRule({ database }, request, params)
        return null
      case 'checkpoint':
        await createAnonymousCheckpoint({ database }, request, id, checkpointOf(edit.ratio, now))
        return null
    }
  } catch (error) {
    // A repetition of a create whose row a later edit has taken away.
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

const checkpointOf = (ratio: number, now: number) => ({
  ratio,
  timestamp: new Date(now).toISOString(),
  is_default: true,
})
