import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env'

/** Where the provider's coin list points for icons. */
const COIN_IMAGES = ['https://coin-images.coingecko.com', 'https://assets.coingecko.com']

/** Security headers that fit the app: everything from this origin, but icons and, where configured, prices. */
export async function sendSecurityHeaders(app: FastifyInstance, env: Env): Promise<void> {
  const https = env.PUBLIC_URL.startsWith('https:')
  const prices = env.CLIENT_MARKET_DATA_URL
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        connectSrc: ["'self'", ...(prices === undefined ? [] : [new URL(prices).origin])],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        frameSrc: ["'none'"],
        imgSrc: ["'self'", 'data:', ...COIN_IMAGES],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // Positions of cards and popovers are inline styles.
        styleSrc: ["'self'", "'unsafe-inline'"],
        workerSrc: ["'self'"],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: https && { maxAge: 31_536_000, includeSubDomains: false },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
}
