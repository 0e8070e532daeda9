import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env'

/** The origins of the icons in the provider's coin list. */
const COIN_IMAGES = ['https://coin-images.coingecko.com', 'https://assets.coingecko.com']

/** Powerful features of the platform that the app does not use; of those that it uses there are only passkeys. */
const UNUSED_FEATURES = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'sync-xhr',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]
const OWN_FEATURES = ['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get']
const PERMISSIONS_POLICY = [
  ...UNUSED_FEATURES.map((name) => `${name}=()`),
  ...OWN_FEATURES.map((name) => `${name}=(self)`),
].join(', ')

/** Security headers that fit the app: everything from this origin, but icons and, where configured, prices. */
export async function sendSecurityHeaders(
  app: FastifyInstance,
  env: Env,
  client: string | null | undefined,
): Promise<void> {
  const https = env.PUBLIC_URL.startsWith('https:')
  const prices = env.CLIENT_MARKET_DATA_URL
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        // A fetch of the service worker counts here, also where it fetches an icon for a page.
        connectSrc: ["'self'", ...COIN_IMAGES, ...(prices === undefined ? [] : [new URL(prices).origin])],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        frameSrc: ["'none'"],
        imgSrc: ["'self'", 'data:', ...COIN_IMAGES],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        // Strings become workers by src/app/trusted-script-urls.ts alone, and never HTML or source text.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['default'],
        scriptSrc: ["'self'", ...inlineScriptSources(client)],
        // Positions of cards and popovers are inline styles, and the page carries the first route's.
        styleSrc: ["'self'", "'unsafe-inline'"],
        workerSrc: ["'self'"],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: https && { maxAge: 31_536_000, includeSubDomains: false },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', PERMISSIONS_POLICY)
  })
}

/** Sources for `script-src` that allow the inline scripts of the built page, each by its hash, and no others. */
function inlineScriptSources(client: string | null | undefined): readonly string[] {
  const page = client == null ? null : join(client, 'index.html')
  if (page === null || !existsSync(page)) return []
  const scripts = readFileSync(page, 'utf8').matchAll(/<script>([^]*?)<\/script>/g)
  return Array.from(scripts, ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}
