import { desc, eq } from 'drizzle-orm'
import type { AdminProfile, AdminUser, AuditEntry } from '../../../src/contract/admin'
import type { Subscription } from '../../../src/contract/billing'
import type { ErrorBody } from '../../../src/contract/errors'
import { audit_log } from '../../../server/db/schema/users'
import { subscriptions } from '../../../server/db/schema/billing'
import type { Answered, RunningApp } from './person'
import { user, type User } from './user'

/** A superuser, and what one asks for. */
export interface Operator extends User {
  search(query: string): Promise<Answered<readonly AdminUser[] & ErrorBody>>
  profile(id: string): Promise<Answered<AdminProfile & ErrorBody>>
  subscriptions(id: string): Promise<Answered<readonly Subscription[] & ErrorBody>>
  grant(id: string, days?: number): Promise<Answered<Subscription & ErrorBody>>
  revoke(id: string): Promise<Answered<Subscription & ErrorBody>>
  audit(query?: string): Promise<Answered<readonly AuditEntry[] & ErrorBody>>
}

export async function operator(server: RunningApp, email?: string): Promise<Operator> {
  const me = await user(server, { superuser: true, ...(email !== undefined && { email }) })
  return {
    ...me,
    search: (query) => me.ask('GET', `/admin/users${query}`),
    profile: (id) => me.ask('GET', `/admin/users/${id}`),
    subscriptions: (id) => me.ask('GET', `/admin/users/${id}/subscriptions`),
    grant: (id, duration_days = 30) => me.ask('POST', `/admin/users/${id}/grant-premium`, { duration_days }),
    revoke: (id) => me.ask('POST', `/admin/users/${id}/revoke-premium`),
    audit: (query = '') => me.ask('GET', `/admin/audit-log${query}`),
  }
}

export const totalOf = ({ headers }: Answered<unknown>): number => Number(headers['x-total-count'])

/** Stored subscriptions and grants of an account, newest first. */
export const subscriptionRows = (server: RunningApp, id: string): Promise<(typeof subscriptions.$inferSelect)[]> =>
  server.database.orm
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.user_id, id))
    .orderBy(desc(subscriptions.created_at))

/** Audit entries of an account, oldest first. */
export const auditOf = async (server: RunningApp, id: string): Promise<string[]> => {
  const rows = await server.database.orm
    .select()
    .from(audit_log)
    .where(eq(audit_log.target_id, id))
    .orderBy(audit_log.at)
  return rows.map(({ action }) => action)
}
