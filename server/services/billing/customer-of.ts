import { and, eq, sql } from 'drizzle-orm'
import type { Payments } from '../../adapters/payments/payments'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import type { Queryable } from '../../db/open'
import { billing_customers, billing_removals } from '../../db/schema/billing'
import type { Account } from '../accounts/account'
import { inUsersTurn } from '../owners'

type Parts = Pick<AppParts, 'database' | 'clock'> & { readonly payments: Payments }

/** The customer that an account is; null: it never came so far that it had to be one. */
export async function findCustomer(db: Queryable, user: string): Promise<string | null> {
  const [row] = await db
    .select({ id: billing_customers.customer_id })
    .from(billing_customers)
    .where(eq(billing_customers.user_id, user))
  return row?.id ?? null
}

/**
 * Makes an account a customer, and stores that: only then something may be sold to it, since events name the customer.
 * @param replaces the customer whom the provider has forgotten; null: there was none
 * @throws ApiError TOKEN_EXPIRED where the account is gone
 */
export async function makeCustomer(parts: Parts, account: Account, replaces: string | null): Promise<string> {
  const { database, payments, clock } = parts
  const customer_id = await payments.createCustomer({ id: account.id, email: account.email, replaces })
  const synced_at = new Date(clock())
  const stored = await inUsersTurn(database, account.id, async (tx) => {
    const before = and(eq(billing_customers.user_id, account.id), eq(billing_customers.customer_id, replaces ?? ''))
    await tx
      .update(billing_customers)
      .set({ customer_id, version: sql`${billing_customers.version} + 1` })
      .where(before)
    await tx.insert(billing_customers).values({ user_id: account.id, customer_id, synced_at }).onConflictDoNothing()
    return findCustomer(tx, account.id)
  })
  if (stored != null) return stored
  await database.orm.insert(billing_removals).values({ customer_id, next_attempt_at: synced_at }).onConflictDoNothing()
  throw new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')
}
