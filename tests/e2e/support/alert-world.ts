import type { PushService } from '../../support/push-service'
import type { AppServer } from './app-server'
import { startMovingMarket, type MovingMarket } from './moving-market'
import { startServerWithAccounts, type Account } from './premium'

/** A server with everything that alerts need of the outside world: prices that move, and a push service. */
export interface AlertWorld {
  readonly server: AppServer
  readonly market: MovingMarket
  /** A user with an account and accepted policies. */
  readonly member: Account
  stop(): Promise<number | null>
}

export async function startAlertWorld(push: PushService): Promise<AlertWorld> {
  const market = await startMovingMarket()
  const { server, free: member } = await startServerWithAccounts({
    env: {
      MARKET_DATA: 'coingecko',
      COINGECKO_BASE_URL: market.baseUrl,
      COINGECKO_MONTHLY_CALLS: '100000000',
      PRICE_POLL_SECONDS: '1',
      PUSH_ALLOWED_HOSTS: push.host,
    },
  })
  return {
    server,
    market,
    member,
    async stop() {
      const code = await server.stop()
      await market.stop()
      return code
    },
  }
}
