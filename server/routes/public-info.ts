import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { API_BASE, routes } from '../../src/contract/routes'
import { ALERT_FEATURES } from '../../src/contract/settings'
import { CHANGE_PASSWORD } from '../../src/domain/app-paths'
import { DAY } from '../../src/domain/granularity'
import { ApiError } from '../http/api-error'
import type { AppDeps } from '../app-deps'
import { NO_SUPPORT_EMAIL } from '../env-variables'
import { VERSION } from '../program-files'
import { knownPrice } from '../services/billing/payment-provider'
import { redirectUriOf } from '../services/google/sign-in'
import { exchangeInUse } from '../services/market/prices/stored-prices'
import { tiersOf } from '../services/owners'
import { POLICY_KINDS } from '../services/policies/policies'
import { serve } from '../http/serve'

/** Path at which this server answers in the price provider's wire format. */
const OWN_MARKET_DATA = '/api/v3'

/** Public settings of the server. @returns reads all of them */
export function serveSettings(
  app: FastifyInstance,
  { env, market, google, payments, vapid, clock, logger }: AppDeps,
): () => Promise<unknown> {
  const price = payments === null ? null : knownPrice({ payments, clock, logger })

  serve(app, routes.tierLimits, async ({ reply }) => {
    reply.header('cache-control', 'no-cache')
    return tiersOf(env)
  })

  async function readConfig() {
    const [authorization_url = null, planPrice, prices] = await Promise.all([
      google?.authorizationUrl(),
      price?.(),
      market.stored(),
    ])
    const exchange = exchangeInUse(prices, clock())
    return {
      version: VERSION,
      vapid_public_key: vapid.publicKey,
      google:
        google === null || authorization_url === null
          ? null
          : { client_id: google.clientId, authorization_url, redirect_uri: redirectUriOf(env.PUBLIC_URL) },
      billing: {
        available: payments !== null,
        sandbox: payments?.sandbox ?? false,
        ...(planPrice && { price: planPrice }),
      },
      market_data: {
        source: market.source,
        price_url: env.CLIENT_MARKET_DATA_URL ?? OWN_MARKET_DATA,
        attribution: market.attribution,
        stream: exchange === null ? null : { exchange },
      },
      support_email: env.SUPPORT_EMAIL,
      alert_features: [...ALERT_FEATURES, ...(env.TELEGRAM_BOT_TOKEN === undefined ? [] : ['telegram'])],
    }
  }

  serve(app, routes.config, async ({ reply }) => {
    reply.header('cache-control', 'no-cache')
    return readConfig()
  })
  return async () => [await readConfig(), tiersOf(env)]
}

const textParams = z.strictObject({ policy: z.enum(POLICY_KINDS), version: z.string().regex(/^\d{4}-\d{2}-\d{2}$/) })

/** Policies that users accept: the versions in force, and the text of each version there ever was. */
export function servePolicies(app: FastifyInstance, { policies }: Pick<AppDeps, 'policies'>): void {
  serve(app, routes.currentPolicies, async ({ reply }) => {
    reply.header('cache-control', 'no-cache')
    return policies.current
  })

  app.get(
    `${API_BASE}/policies/:policy/:version`,
    { schema: { summary: "A policy's text (text/plain)", params: textParams, hide: true } },
    async (request, reply) => {
      const { policy, version } = textParams.parse(request.params)
      const text = policies.text(policy, version)
      if (text === null) throw new ApiError('NOT_FOUND', 'There is no such version.')
      // A version never changes: another text is another version.
      return reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(text)
    },
  )
}

const UNLISTED = { schema: { hide: true } }

/** RFC 9116 wants a time less than a year ahead, at which a copy of the file should no longer be believed. */
const GOOD_FOR = 180 * DAY

/** Addresses at which programs look on every site: whom to tell of a weakness, and where a password is changed. */
export function serveWellKnown(app: FastifyInstance, { env, clock }: Pick<AppDeps, 'env' | 'clock'>): void {
  app.get('/.well-known/security.txt', UNLISTED, (_request, reply) => {
    const { SUPPORT_EMAIL, PUBLIC_URL } = env
    if (SUPPORT_EMAIL === NO_SUPPORT_EMAIL) throw new ApiError('NOT_FOUND', 'There is nothing at this address.')
    // By the day, so that the file is the same for as long.
    const expires = new Date(Math.floor((clock() + GOOD_FOR) / DAY) * DAY).toISOString()
    const lines = [
      `Contact: mailto:${encodeURI(SUPPORT_EMAIL)}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Canonical: ${PUBLIC_URL}/.well-known/security.txt`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
  app.get('/.well-known/change-password', UNLISTED, (_request, reply) => reply.redirect(CHANGE_PASSWORD, 302))
}
