import type { WidgetRow } from '../../../src/db/rows'
import type { WidgetId } from '../../../src/domain/ids'
import type { WorkerApi } from '../../../workers/api'
import { type LocalApp, seedCoins, seedPrices, seedWidgets, startLocalApp } from './local-app'

interface Setup {
  readonly worker?: Partial<WorkerApi>
  /** How many coins the app knows; BTC and ETH are the first two. */
  readonly coins?: number
  /** Runs before the pair is stored, so that the pair belongs to a user who signs in here. */
  readonly seed?: (app: LocalApp) => Promise<unknown>
  readonly widget?: Partial<WidgetRow>
  /** USD by coin number, from a poll at START; without them no poll has come. */
  readonly prices?: Readonly<Record<number, number>>
}

/** An app whose only pair is BTC / ETH, as a guest's unless `seed` signs a user in. */
export async function appWithPair({ worker, coins = 2, seed, widget, prices }: Setup = {}) {
  const app = await startLocalApp(worker)
  await seedCoins(app, coins)
  await seed?.(app)
  const [id = '' as WidgetId] = await seedWidgets(app, [[0, 1]], widget)
  if (prices !== undefined) await seedPrices(app, prices)
  return { app, id }
}
