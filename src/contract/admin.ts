import * as z from 'zod/mini'
import { ADMIN_PAGE_SIZE } from '../domain/account'
import { LONGEST_GRANT_DAYS } from '../domain/subscription'
import { subscription } from './billing'
import { MARKET_SOURCES } from './market'
import type { Route } from './route'
import { count, pageQuery } from './scalars'
import { emptyBody, user } from './session'

export const adminUser = z.extend(user, {
  email_verified: z.boolean(),
  last_login_at: z.nullable(z.string()),
})
export type AdminUser = z.infer<typeof adminUser>

export const adminProfile = z.extend(adminUser, {
  widgets: z.int(),
  active_widgets: z.int(),
  checkpoints: z.int(),
  push_subscriptions: z.int(),
})
export type AdminProfile = z.infer<typeof adminProfile>

export const AUDITED_ACTIONS = [
  'grant-premium',
  'revoke-premium',
  'end-sessions',
  'appoint-superuser',
  'dismiss-superuser',
] as const
export type AuditedAction = (typeof AUDITED_ACTIONS)[number]

/** An operator's action, kept longer than the accounts of either side. */
export const auditEntry = z.object({
  id: z.uuid(),
  at: z.string(),
  /** The operator's address at the time; null: the configuration or the command line. */
  actor_email: z.nullable(z.string()),
  /** One of `AUDITED_ACTIONS`, or the name of one that a newer server process has written. */
  action: z.string(),
  /** Null once the account is gone. */
  target_id: z.nullable(z.uuid()),
  target_email: z.string(),
  /** In words, such as `30 days, until 2026-12-22`. */
  details: z.nullable(z.string()),
})
export type AuditEntry = z.infer<typeof auditEntry>

/** Figures for operators, of all processes that share the database. */
export const overview = z.object({
  version: z.string(),
  /** Time of reading. */
  at: z.string(),
  accounts: z.object({ users: count, premium: count, guests: count, widgets: count, armed_sides: count }),
  market: z.object({
    source: z.enum(MARKET_SOURCES),
    /** When the newest price was fetched; null: there is none. */
    newest_price_at: z.nullable(z.string()),
    coins_priced: count,
    coins_watched: count,
    /** Calls of this calendar month; a budget of null: not counted. */
    provider_calls: count,
    provider_budget: z.nullable(count),
  }),
  /** Of the last 24 hours. */
  alerts: z.object({ crossings: count, sent: count, undeliverable: count, median_seconds: z.nullable(z.number()) }),
  queues: z.object({
    crossings: count,
    deliveries: count,
    mails: count,
    billing_removals: count,
    /** Jobs that are overdue, and jobs whose last run failed. */
    late_jobs: z.array(z.string()),
    failing_jobs: z.array(z.string()),
  }),
  billing: z.object({
    available: z.boolean(),
    sandbox: z.boolean(),
    paying: count,
    granted: count,
    newest_event_at: z.nullable(z.string()),
  }),
  /** Absent in answers of older servers. */
  storage: z.optional(
    z.object({
      engine: z.enum(['pglite', 'postgres']),
      database_bytes: count,
      /** The write-ahead log; null: the database's user may not see it. */
      log_bytes: z.nullable(count),
      /** The disk that holds DATA_DIR of the answering process; null: there is no such folder. */
      disk_bytes: z.nullable(count),
      disk_free_bytes: z.nullable(count),
      /** When the last backup was complete; null: none is known. */
      last_backup_at: z.nullable(z.string()),
      /** Null: no schedule. */
      backup_every_seconds: z.nullable(count),
    }),
  ),
  /** While the server's clock has jumped, and nothing is removed by its age; null: rows go. Absent in answers of older servers. */
  retention: z.optional(
    z.nullable(
      z.object({
        /** Nothing else has confirmed the clock yet. */
        is_doubted: z.boolean(),
        /** Nothing is removed before; null: until the clock is confirmed. */
        held_until: z.nullable(z.string()),
        /** Numbers of rows that are kept although their time seems over, by job. */
        would_remove: z.record(z.string(), count),
      }),
    ),
  ),
})
export type Overview = z.infer<typeof overview>

const ofUser = z.strictObject({ id: z.uuid().check(z.toLowerCase()) })

/** Routes for support and operators. */
export const adminRoutes = {
  adminUsers: {
    method: 'GET',
    path: '/admin/users',
    identity: 'superuser',
    summary: 'Accounts, newest first, a page at a time',
    query: z.strictObject({
      /** Part of the e-mail address, whatever its capitals, or a whole id. No text of the database can hold a zero. */
      search: z.optional(z.string().check(z.maxLength(254), z.regex(/^[^\0]*$/), z.trim())),
      ...pageQuery(ADMIN_PAGE_SIZE, 100),
    }),
    counted: true,
    answer: z.array(adminUser),
  },
  adminUser: {
    method: 'GET',
    path: '/admin/users/:id',
    identity: 'superuser',
    summary: 'An account, and how much is its',
    params: ofUser,
    answer: adminProfile,
  },
  adminSubscriptions: {
    method: 'GET',
    path: '/admin/users/:id/subscriptions',
    identity: 'superuser',
    summary: 'All that has given an account Premium, newest first',
    params: ofUser,
    answer: z.array(subscription),
  },
  grantPremium: {
    method: 'POST',
    path: '/admin/users/:id/grant-premium',
    identity: 'superuser',
    summary: 'Gives an account Premium for some days, beside whatever it pays for',
    params: ofUser,
    body: z.strictObject({ duration_days: z.int().check(z.minimum(1), z.maximum(LONGEST_GRANT_DAYS)) }),
    answer: subscription,
  },
  revokePremium: {
    method: 'POST',
    path: '/admin/users/:id/revoke-premium',
    identity: 'superuser',
    summary: 'Ends what was granted; what is paid for goes on',
    params: ofUser,
    body: emptyBody,
    answer: subscription,
  },
  endUserSessions: {
    method: 'DELETE',
    path: '/admin/users/:id/sessions',
    identity: 'superuser',
    summary: 'Logs an account out everywhere; its notifications end, and no browser is known to it any more',
    params: ofUser,
    status: 204,
    answer: null,
  },
  auditLog: {
    method: 'GET',
    path: '/admin/audit-log',
    identity: 'superuser',
    summary: 'What operators did, newest first, a page at a time',
    /** `target`: of one account alone. */
    query: z.strictObject({ target: z.optional(z.uuid()), ...pageQuery(ADMIN_PAGE_SIZE, 100) }),
    counted: true,
    answer: z.array(auditEntry),
  },
  overview: {
    method: 'GET',
    path: '/admin/overview',
    identity: 'superuser',
    summary: 'What an operator wants to see at once',
    answer: overview,
  },
} as const satisfies Record<string, Route>
