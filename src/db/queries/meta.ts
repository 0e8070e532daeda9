import type { Coin } from '../../contract/market'
import type { Policies } from '../../contract/settings'
import type { LocalDatabase } from '../database'
import type { MetaKey, MetaRow, MetaRows, PricesRow } from '../rows'

export interface CoinListView {
  readonly coins: readonly Coin[]
  readonly fetchedAt: number
}

/** Undefined before the first successful poll. */
export const readPrices = (db: LocalDatabase): Promise<PricesRow | undefined> => db.prices.get('usd')

export async function readMeta<K extends MetaKey>(db: LocalDatabase, key: K): Promise<MetaRows[K] | undefined> {
  const row = (await db.meta.get(key)) as MetaRow<K> | undefined
  return row?.value
}

export async function writeMeta<K extends MetaKey>(db: LocalDatabase, key: K, value: MetaRows[K]): Promise<void> {
  await db.meta.put({ key, value })
}

/** Undefined while the list has never been loaded. */
export async function readCoins(db: LocalDatabase): Promise<CoinListView | undefined> {
  const row = await readMeta(db, 'coins')
  return row && { coins: row.coins, fetchedAt: row.fetched_at }
}

/** A policy's text as it was last loaded; null: never. */
export async function readPolicyText(
  db: LocalDatabase,
  policy: keyof Policies,
): Promise<{ readonly version: string; readonly text: string } | null> {
  return (await readMeta(db, 'policy_texts'))?.[policy] ?? null
}
