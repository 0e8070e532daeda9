import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
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

/**
 * Security headers of every answer. They are written down once: helmet would build the policy anew for each answer. An
 * answer of the API or a file of the build, which no browser shows as a page, needs a fifth of them: 1.4 kB for each of the
 * sixty files of a first visit.
 */
export async function sendSecurityHeaders(
  app: FastifyInstance,
  env: Env,
  client: string | null | undefined,
): Promise<void> {
  const ofPages = await pageHeaders(env, client)
  const ofParts = {
    ...Object.fromEntries(Object.entries(ofPages).filter(([name]) => PART_HEADERS.has(name))),
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(PART.test(request.url) ? ofParts : ofPages)
    done()
  })
}

/** Addresses of parts of a page. A web worker's script is none: its own policy is that of its answer. */
const PART = /^\/(?:api|assets\/(?!worker-))/

/** Headers of pages that its parts have as well. */
const PART_HEADERS: ReadonlySet<string> = new Set([
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
])

/** Headers that fit the app: everything from this origin, but icons and, where configured, prices. */
async function pageHeaders(env: Env, client: string | null | undefined): Promise<Readonly<Record<string, string>>> {
  const https = env.PUBLIC_URL.startsWith('https:')
  const prices = env.CLIENT_MARKET_DATA_URL
  const probe = Fastify()
  await probe.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        // A fetch of the service worker counts here, also where it fetches an icon for a page.
        connectSrc: ["'self'", ...COIN_IMAGES, ...(prices === undefined ? [] : [new URL(prices).origin])],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        frameSrc: ["'none'"],
        imgSrc: ["'self'", 'data:', ...COIN_IMAGES],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        // Strings become workers by src/app/trusted-types.ts alone, and never HTML or source text.
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
  let headers: OutgoingHttpHeaders = {}
  probe.get('/', (_request, reply) => {
    headers = reply.raw.getHeaders()
    return reply.send()
  })
  await probe.inject('/')
  await probe.close()
  const written = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return { ...Object.fromEntries(written), 'permissions-policy': PERMISSIONS_POLICY }
}

/** Sources for `script-src` that allow the inline scripts of the built page, each by its hash, and no others. */
function inlineScriptSources(client: string | null | undefined): readonly string[] {
  const page = client == null ? null : join(client, 'index.html')
  if (page === null || !existsSync(page)) return []
  const scripts = readFileSync(page, 'utf8').matchAll(/<script>([^]*?)<\/script>/g)
  return Array.from(scripts, ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}
