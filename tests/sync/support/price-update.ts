import { inTransaction } from '../../../server/db/open'
import { fireAlerts } from '../../../server/services/alerts/fire-alerts'
import { listCoins } from '../../server/support/alert-prices'
import type { TestApp } from '../../server/support/test-app'

/**
 * Judges all widgets of a pair of the fake market by a ratio, as a price update at the server's present time does.
 * @param pair such as `bitcoin/ethereum`
 */
export async function priceUpdate(
  { database, clock }: Pick<TestApp, 'database' | 'clock'>,
  pair: string,
  ratio: number,
): Promise<void> {
  const coins = pair.split('/')
  await listCoins(database.pool, coins)
  const { rows } = await database.pool.query<{ id: number }>(
    'SELECT id FROM pairs WHERE coin_a_id = $1 AND coin_b_id = $2',
    coins,
  )
  const pairs = rows.map(({ id }) => id)
  const ratios = rows.map(() => ratio)
  await inTransaction(database.pool, (client) => fireAlerts(client, 'simulated', { pairs, ratios }, clock()))
}
