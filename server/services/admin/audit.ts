import { asc, count, desc, eq } from 'drizzle-orm'
import type { AuditEntry } from '../../../src/contract/admin'
import type { Database } from '../../db/open'
import { audit_log } from '../../db/schema/audit'
import type { Counted } from '../../routes/serve'
import { atOneMoment, type PageQuery } from './page'

interface AuditQuery extends PageQuery {
  readonly target?: string | undefined
}

/** A page of what operators did, newest first, and how much there is; of one account alone where `target` names it. */
export function readAuditLog(database: Database, { target, skip, limit }: AuditQuery): Promise<Counted<AuditEntry[]>> {
  const which = target === undefined ? undefined : eq(audit_log.target_id, target)
  return atOneMoment(database, async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(audit_log).where(which)
    const rows = await tx
      .select()
      .from(audit_log)
      .where(which)
      .orderBy(desc(audit_log.at), asc(audit_log.id))
      .offset(skip)
      .limit(limit)
    return { part: rows.map(entryAnswer), total: counted?.total ?? 0 }
  })
}

const entryAnswer = (row: typeof audit_log.$inferSelect): AuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor_email: row.actor_email,
  action: row.action,
  target_id: row.target_id,
  target_email: row.target_email,
  details: row.details,
})
