import { and, eq, gt, lt } from 'drizzle-orm'
import { MINUTE } from '../../../src/domain/granularity'
import type { Database, Queryable } from '../../db/open'
import { passkey_challenges } from '../../db/schema/passkeys'
import { hashOfSecret, newSecret } from '../secrets'

/** How long a browser may take to answer, milliseconds. */
export const CHALLENGE_LIFETIME = 5 * MINUTE

type Row = typeof passkey_challenges.$inferSelect
type Bound = Pick<Row, 'purpose' | 'user_id' | 'challenge'> & Partial<Pick<Row, 'session_id' | 'first_factor'>>

/**
 * Stores a challenge until its answer comes.
 * @returns the ticket that the client presents with the answer
 */
export async function storeChallenge(db: Queryable, bound: Bound, now: number): Promise<string> {
  const ticket = newSecret()
  const expires_at = new Date(now + CHALLENGE_LIFETIME)
  await db.insert(passkey_challenges).values({ ...bound, ticket_hash: hashOfSecret(ticket), expires_at })
  return ticket
}

const named = (ticket: string, purpose: Row['purpose'], now: number) =>
  and(
    eq(passkey_challenges.ticket_hash, hashOfSecret(ticket)),
    eq(passkey_challenges.purpose, purpose),
    gt(passkey_challenges.expires_at, new Date(now)),
  )

/** The challenge of a ticket; it stays as it is. */
export async function findChallenge(
  db: Queryable,
  purpose: Row['purpose'],
  ticket: string,
  now: number,
): Promise<Row | undefined> {
  const [row] = await db
    .select()
    .from(passkey_challenges)
    .where(named(ticket, purpose, now))
  return row
}

/** Uses a ticket up: of several requests with the same one, one gets its challenge. */
export async function takeChallenge(
  db: Queryable,
  purpose: Row['purpose'],
  ticket: string,
  now: number,
): Promise<Row | undefined> {
  const [row] = await db
    .delete(passkey_challenges)
    .where(named(ticket, purpose, now))
    .returning()
  return row
}

/** Removes challenges that were never answered. */
export async function removeOldChallenges({ orm }: Database, now: number): Promise<void> {
  await orm.delete(passkey_challenges).where(lt(passkey_challenges.expires_at, new Date(now)))
}
