import { asc, count, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { AdminUser } from '../../../src/contract/admin'
import type { Database } from '../../db/open'
import { owners } from '../../db/schema/owners'
import { normalEmailOf, users } from '../../db/schema/users'
import type { Counted } from '../../routes/serve'
import { type Account, accountAnswer, accountColumns, normalEmail } from '../accounts/account'
import { atOneMoment, type PageQuery } from './page'

interface UsersQuery extends PageQuery {
  readonly search?: string | undefined
}

const wholeId = z.uuid().toLowerCase()

/**
 * A page of the accounts that `search` finds, newest first, and how many it finds. Accounts that are made between two
 * pages move the others back, so that some are told twice; none is left out.
 */
export function listUsers(database: Database, { search, skip, limit }: UsersQuery): Promise<Counted<AdminUser[]>> {
  const found = search ? matching(search) : undefined
  return atOneMoment(database, async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(users).where(found)
    const rows = await tx
      .select(accountColumns)
      .from(users)
      .innerJoin(owners, eq(owners.id, users.id))
      .where(found)
      .orderBy(desc(owners.created_at), asc(users.id))
      .offset(skip)
      .limit(limit)
    return { part: rows.map(adminUserAnswer), total: counted?.total ?? 0 }
  })
}

/** What is typed is looked for as it stands; to LIKE, some of it would mean more. */
function matching(search: string): SQL | undefined {
  const inAddress = sql`strpos(${normalEmailOf(users.email)}, ${normalEmail(search)}) > 0`
  const id = wholeId.safeParse(search)
  return id.success ? or(inAddress, eq(users.id, id.data)) : inAddress
}

/** An account as operators are told of it. */
export const adminUserAnswer = (account: Account): AdminUser => ({
  ...accountAnswer(account),
  email_verified: account.email_verified_at !== null,
  last_login_at: account.last_login_at?.toISOString() ?? null,
})
