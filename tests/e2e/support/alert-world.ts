import { startPushService, type PushService } from '../../support/push-service'
import { startAppServer, type AppServer } from './app-server'
import { startMovingMarket, type MovingMarket } from './moving-market'

/** A server with everything that alerts need of the outside world: prices that move, and a push service. */
export interface AlertWorld {
  readonly server: AppServer
  readonly market: MovingMarket
  readonly push: PushService
  stop(): Promise<number | null>
}

export async function startAlertWorld(): Promise<AlertWorld> {
  const market = await startMovingMarket()
  const push = await startPushService()
  const server = await startAppServer({
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
    push,
    async stop() {
      const code = await server.stop()
      await push.stop()
      await market.stop()
      return code
    },
  }
}
