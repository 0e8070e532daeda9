import type { Overview } from '../../../../src/contract/admin'
import type { AppParts } from '../../../app-parts'
import { VERSION } from '../../../version'
import { accountFigures } from './accounts'
import { alertFigures } from './alerts'
import { billingFigures } from './billing'
import { marketFigures } from './market'
import { queueFigures } from './queues'
import { readStorage } from './storage'

type Parts = Pick<AppParts, 'database' | 'env' | 'market' | 'payments' | 'clock'>

/** What an operator wants to see at once. One figure after the other: nobody else is to wait for a connection meanwhile. */
export async function readOverview({ database, env, market, payments, clock }: Parts): Promise<Overview> {
  const now = clock()
  return {
    version: VERSION,
    at: new Date(now).toISOString(),
    accounts: await accountFigures(database.orm),
    market: await marketFigures(database.pool, env, market.source, now),
    alerts: await alertFigures(database.orm, now),
    queues: await queueFigures(database.orm, now),
    billing: await billingFigures(database.orm, payments, now),
    storage: await readStorage(database, env),
  }
}
