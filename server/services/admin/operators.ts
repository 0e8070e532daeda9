import { and, asc, desc, eq } from 'drizzle-orm'
import type { AuditedAction, AuditEntry } from '../../../src/contract/admin'
import { ApiError } from '../../http/api-error'
import { atOneMoment, type Database, type Queryable } from '../../db/open'
import { sessions } from '../../db/schema/sessions'
import { audit_log, users } from '../../db/schema/users'
import type { Caller } from '../owners'
import type { Counted, PageQuery } from '../list-page'

/** A superuser who is doing something. */
export interface Operator {
  readonly id: string
  readonly email: string
}

/**
 * The caller, if they are a superuser. Looked up each time: a right that was taken away is gone at once.
 * @throws ApiError TOKEN_EXPIRED when the session has ended, FORBIDDEN for any other caller
 */
export async function requireOperator(db: Queryable, caller: Caller): Promise<Operator> {
  const refused = () => new ApiError('FORBIDDEN', 'Only for superusers.')
  if (caller.kind === 'guest') throw refused()
  const { userId, sessionId } = caller
  const [row] = await db
    .select({ id: users.id, email: users.email, isSuperuser: users.is_superuser })
    .from(users)
    .innerJoin(sessions, eq(sessions.user_id, users.id))
    .where(and(eq(users.id, userId), eq(sessions.id, sessionId), users.is_active))
  if (row === undefined) throw new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')
  if (!row.isSuperuser) throw refused()
  return { id: row.id, email: row.email }
}

/** A page of what operators did, newest first, and how much there is; of one account alone where `target` names it. */
export function readAuditLog(
  database: Database,
  { target, skip, limit }: PageQuery & { readonly target?: string | undefined },
): Promise<Counted<AuditEntry[]>> {
  const which = target === undefined ? undefined : eq(audit_log.target_id, target)
  return atOneMoment(database, async (tx) => {
    const rows = await tx
      .select()
      .from(audit_log)
      .where(which)
      .orderBy(desc(audit_log.at), asc(audit_log.id))
      .offset(skip)
      .limit(limit)
    return { part: rows.map(entryAnswer), total: await tx.$count(audit_log, which) }
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

export interface NewAuditEntry {
  /** Null: the configuration or the command line. */
  readonly actor: Operator | null
  readonly action: AuditedAction
  readonly target: { readonly id: string; readonly email: string }
  /** In words. */
  readonly details?: string
}

/** Writes audit entries in the transaction of the change: neither is there without the other. */
export async function writeAudit(tx: Queryable, entries: readonly NewAuditEntry[], now: number): Promise<void> {
  if (entries.length === 0) return
  await tx.insert(audit_log).values(
    entries.map(({ actor, action, target, details }) => ({
      at: new Date(now),
      actor_id: actor?.id ?? null,
      actor_email: actor?.email ?? null,
      action,
      target_id: target.id,
      target_email: target.email,
      details: details ?? null,
    })),
  )
}
