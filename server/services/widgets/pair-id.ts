import { and, eq } from 'drizzle-orm'
import type { CoinId } from '../../../src/domain/ids'
import type { Queryable } from '../../db/open'
import { pairs } from '../../db/schema/pairs'

/** Each try meets a pair that was removed in the same moment; nobody removes one so often. */
const TRIES = 5

/** The number of a pair, given to it when it is first wanted. It is held: nobody removes it before the widget is there. */
export async function pairIdOf(tx: Queryable, coinA: CoinId, coinB: CoinId): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const there = await holdPair(tx, coinA, coinB)
    if (there !== undefined) return there
    // A transaction that gives the pair a number at the same moment is waited for here.
    await tx.insert(pairs).values({ coin_a_id: coinA, coin_b_id: coinB }).onConflictDoNothing()
  }
  throw new Error('The pair vanished within a transaction')
}

async function holdPair(tx: Queryable, coinA: CoinId, coinB: CoinId): Promise<number | undefined> {
  const [row] = await tx
    .select({ id: pairs.id })
    .from(pairs)
    .where(and(eq(pairs.coin_a_id, coinA), eq(pairs.coin_b_id, coinB)))
    .for('key share')
  return row?.id
}
