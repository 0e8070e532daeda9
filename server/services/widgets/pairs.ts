import { and, asc, eq, gt, inArray, notExists } from 'drizzle-orm'
import type { CoinId } from '../../../src/domain/ids'
import type { Database, Queryable } from '../../db/open'
import { pairs, widgets } from '../../db/schema/widgets'

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

/** Pairs looked at in one transaction. */
const PAIR_BATCH = 1_000

/**
 * Removes the pairs that no widget stands for. The rows are held first and looked at once more then: a widget that comes
 * meanwhile waits for them, or has come and keeps its pair.
 * @returns how many were removed
 */
export async function removeUnusedPairs({ orm }: Database, signal: AbortSignal, batch = PAIR_BATCH): Promise<number> {
  const isUnused = notExists(orm.select({ pair: widgets.pair_id }).from(widgets).where(eq(widgets.pair_id, pairs.id)))
  let removed = 0
  for (let after: number | null = 0; after !== null && !signal.aborted;) {
    const from: number = after
    after = await orm.transaction(async (tx) => {
      const some = tx
        .select({ id: pairs.id })
        .from(pairs)
        .where(and(gt(pairs.id, from), isUnused))
      const rows = await some.orderBy(asc(pairs.id)).limit(batch).for('update', { skipLocked: true })
      const ids = rows.map(({ id }) => id)
      const { rowCount } = await tx.delete(pairs).where(and(inArray(pairs.id, ids), isUnused))
      removed += rowCount ?? 0
      return ids.at(-1) ?? null
    })
  }
  return removed
}
