import { and, eq } from 'drizzle-orm'
import type { CoinId } from '../../../src/domain/ids'
import type { Queryable } from '../../db/open'
import { pairs } from '../../db/schema/pairs'

/** The number of a pair, given to it when it is first wanted. */
export async function pairIdOf(tx: Queryable, coinA: CoinId, coinB: CoinId): Promise<number> {
  const there = await find(tx, coinA, coinB)
  if (there !== undefined) return there
  // Whoever gives it a number at the same moment is waited for here.
  await tx.insert(pairs).values({ coin_a_id: coinA, coin_b_id: coinB }).onConflictDoNothing()
  const made = await find(tx, coinA, coinB)
  if (made === undefined) throw new Error('The pair vanished within a transaction')
  return made
}

async function find(tx: Queryable, coinA: CoinId, coinB: CoinId): Promise<number | undefined> {
  const [row] = await tx
    .select({ id: pairs.id })
    .from(pairs)
    .where(and(eq(pairs.coin_a_id, coinA), eq(pairs.coin_b_id, coinB)))
  return row?.id
}
