import { checkpoints } from './checkpoints'
import { jobs } from './jobs'
import { market_calls, market_coins, market_fetches, market_points, market_prices } from './market'
import { operations } from './operations'
import { owners } from './owners'
import { users } from './users'
import { widgets } from './widgets'

/** Every table, for Drizzle. */
export const schema = {
  owners,
  users,
  widgets,
  checkpoints,
  operations,
  jobs,
  market_coins,
  market_prices,
  market_points,
  market_fetches,
  market_calls,
}
