import type { LocalDatabase } from '../database'
import type { PricesRow } from '../rows'

/** Undefined before the first successful poll. */
export const readPrices = (db: LocalDatabase): Promise<PricesRow | undefined> => db.prices.get('usd')
