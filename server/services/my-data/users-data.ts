import { and, asc, count, desc, eq, isNull, sql } from 'drizzle-orm'
import type { MyData } from '../../../src/contract/my-data'
import type { Queryable } from '../../db/open'
import { audit_log } from '../../db/schema/users'
import { billing_customers, subscriptions } from '../../db/schema/billing'
import { known_devices, passkeys, recovery_codes, sessions } from '../../db/schema/sessions'
import { mail_requests, mail_tokens } from '../../db/schema/mail'
import { accountAnswer, accountOfUser, normalEmail, type UserAccount } from '../accounts/account'
import { subscriptionAnswer } from '../admin/users'

/** Data that the server has of users alone. */
export type UsersData = Pick<
  MyData,
  | 'account'
  | 'sessions'
  | 'known_devices'
  | 'passkeys'
  | 'recovery_codes'
  | 'subscriptions'
  | 'audit_entries'
  | 'mails_waiting'
  | 'links_open'
>

/** @throws ApiError TOKEN_EXPIRED when the account has gone */
export async function readUsersData(tx: Queryable, id: string): Promise<UsersData> {
  const account = await accountOfUser(tx, id)
  return {
    account: await readAccount(tx, account),
    sessions: await readSessions(tx, id),
    known_devices: await readKnownDevices(tx, id),
    passkeys: await readPasskeys(tx, id),
    recovery_codes: await countRecoveryCodes(tx, id),
    subscriptions: await readSubscriptions(tx, id),
    audit_entries: await readAuditEntries(tx, id),
    mails_waiting: await readMails(tx, account.email),
    links_open: await readLinks(tx, id),
  }
}

async function readAccount(tx: Queryable, account: UserAccount): Promise<UsersData['account']> {
  const { customer_id, user_id } = billing_customers
  const [customer] = await tx.select({ customer_id }).from(billing_customers).where(eq(user_id, account.id))
  return {
    ...accountAnswer(account),
    email_verified_at: account.email_verified_at?.toISOString() ?? null,
    last_login_at: account.last_login_at?.toISOString() ?? null,
    google_account: account.google_subject,
    payment_customer: customer?.customer_id ?? null,
  }
}

async function readSessions(tx: Queryable, id: string): Promise<UsersData['sessions']> {
  const rows = await tx.select().from(sessions).where(eq(sessions.user_id, id)).orderBy(asc(sessions.created_at))
  return rows.map((row) => ({
    device: row.device_label,
    created_at: row.created_at.toISOString(),
    refreshed_at: row.refreshed_at?.toISOString() ?? null,
  }))
}

async function readKnownDevices(tx: Queryable, id: string): Promise<UsersData['known_devices']> {
  const rows = await tx
    .select()
    .from(known_devices)
    .where(eq(known_devices.user_id, id))
    .orderBy(asc(known_devices.created_at))
  return rows.map((row) => ({
    first_login_at: row.created_at.toISOString(),
    last_login_at: row.seen_at.toISOString(),
  }))
}

async function readPasskeys(tx: Queryable, id: string): Promise<UsersData['passkeys']> {
  const rows = await tx.select().from(passkeys).where(eq(passkeys.user_id, id)).orderBy(asc(passkeys.created_at))
  return rows.map((row) => ({
    name: row.name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }))
}

async function countRecoveryCodes(tx: Queryable, id: string): Promise<number> {
  const [row] = await tx.select({ all: count() }).from(recovery_codes).where(eq(recovery_codes.user_id, id))
  return row?.all ?? 0
}

async function readSubscriptions(tx: Queryable, id: string): Promise<UsersData['subscriptions']> {
  const rows = await tx
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.user_id, id))
    .orderBy(desc(subscriptions.created_at))
  return rows.map(subscriptionAnswer)
}

async function readAuditEntries(tx: Queryable, id: string): Promise<UsersData['audit_entries']> {
  const rows = await tx.select().from(audit_log).where(eq(audit_log.target_id, id)).orderBy(desc(audit_log.at))
  return rows.map(({ at, action, actor_email, details }) => ({
    at: at.toISOString(),
    action,
    by: actor_email === null ? 'configuration' : 'operator',
    details,
  }))
}

async function readMails(tx: Queryable, email: string): Promise<UsersData['mails_waiting']> {
  const theirs = sql`lower(${mail_requests.email} COLLATE "C") = ${normalEmail(email)}`
  const rows = await tx.select().from(mail_requests).where(theirs).orderBy(asc(mail_requests.requested_at))
  return rows.map(({ kind, requested_at }) => ({ kind, requested_at: requested_at.toISOString() }))
}

async function readLinks(tx: Queryable, id: string): Promise<UsersData['links_open']> {
  const rows = await tx
    .select()
    .from(mail_tokens)
    .where(and(eq(mail_tokens.user_id, id), isNull(mail_tokens.used_at)))
    .orderBy(asc(mail_tokens.expires_at))
  return rows.map(({ purpose, expires_at }) => ({ purpose, expires_at: expires_at.toISOString() }))
}
