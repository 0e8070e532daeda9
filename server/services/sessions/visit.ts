import type { FastifyRequest } from 'fastify'
import { DEVICE_TOKEN_HEADER } from '../../../src/contract/session'

/** Facts that a request tells about the browser that sends it. */
export interface Visit {
  /** Such as "Chrome on Android"; null: unknown. */
  readonly deviceLabel: string | null
  /** The token that this server gave the browser at an earlier login; null: it has none. */
  readonly deviceToken: string | null
}

const DEVICE_TOKEN = /^[\w-]{43}$/

export function visitOf({ headers }: Pick<FastifyRequest, 'headers'>): Visit {
  const token = headers[DEVICE_TOKEN_HEADER]
  return {
    deviceLabel: deviceLabel(headers['user-agent']),
    deviceToken: typeof token === 'string' && DEVICE_TOKEN.test(token) ? token : null,
  }
}

/*
 * Order decides: Edge, Opera and Samsung's browser name Chrome as well, Chrome names Safari, and Android names Linux. On
 * iPhone and iPad every browser is Safari underneath, and says by a token of its own who it is.
 */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const firstOf = (names: typeof BROWSERS, text: string): string | null =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null

/**
 * A browser's name for people, from its User-Agent header: "Chrome on Android", "Firefox on Windows". Versions are left
 * out, so that an update does not look like another device. Null where the header tells neither browser nor system.
 */
export function deviceLabel(userAgent: string | undefined): string | null {
  // As long as any browser's, many times over.
  const text = (userAgent ?? '').slice(0, 512)
  const [browser, system] = [firstOf(BROWSERS, text), firstOf(SYSTEMS, text)]
  if (browser === null) return system === null ? null : `A browser on ${system}`
  return system === null ? browser : `${browser} on ${system}`
}
