import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { knownPrice } from '../services/billing/known-price'
import { tiersOf } from '../services/limits'
import { VERSION } from '../version'
import { redirectUriOf } from '../services/google/redirect-uri'
import { serve } from './serve'

/** Where this server answers in the price provider's wire format. */
const OWN_MARKET_DATA = '/api/v3'

/** What the server tells everybody about itself. */
export function settingsRoutes(
  app: FastifyInstance,
  { env, market, google, payments, vapid, clock, logger }: AppParts,
): void {
  const price = payments === null ? null : knownPrice({ payments, clock, logger })

  serve(app, routes.tierLimits, async ({ reply }) => {
    reply.header('cache-control', 'no-cache')
    return tiersOf(env)
  })

  serve(app, routes.config, async ({ reply }) => {
    reply.header('cache-control', 'no-cache')
    const [authorization_url = null, planPrice] = await Promise.all([google?.authorizationUrl(), price?.()])
    return {
      version: VERSION,
      vapid_public_key: vapid.publicKey,
      google:
        google === null || authorization_url === null
          ? null
          : { client_id: google.clientId, authorization_url, redirect_uri: redirectUriOf(env.PUBLIC_URL) },
      billing: { available: payments !== null, sandbox: payments?.sandbox ?? false, ...(planPrice && { price: planPrice }) }, // prettier-ignore
      market_data: {
        source: market.source,
        price_url: env.CLIENT_MARKET_DATA_URL ?? OWN_MARKET_DATA,
        attribution: market.attribution,
      },
      support_email: env.SUPPORT_EMAIL,
    }
  })
}
