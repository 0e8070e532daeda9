import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { DAY, HOUR } from '../src/domain/granularity'
import { isDatabaseUrl } from './db/servers'
import { isLoopbackHost } from './http/addresses'

/* Values of environment variables that take more than a pattern. */

export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least).max(most))

export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((text) => text.replace(/\/+$/, ''))
export const databaseUrl = z
  .string()
  .refine(
    isDatabaseUrl,
    'must be a postgres:// URL, such as postgres://user:password@host:5432/database, with commas between several hosts',
  )
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

/** Fewer different characters than any random text of 32 has. */
const MIN_DIFFERENT = 10

/** Text that guides and templates put in the place of a secret. */
const PLACEHOLDER =
  /change[-_ ]?me|placeholder|your[-_ ]?(jwt|secret|key)|example|password|^secret|(jwt|super)[-_ ]?secret|insert[-_ ]/i

/** True if a secret was typed rather than drawn: few characters, one pattern over and over, the keyboard in order. */
export function isWeakSecret(secret: string): boolean {
  return (
    new Set(secret).size < MIN_DIFFERENT ||
    PLACEHOLDER.test(secret) ||
    isRepeated(secret) ||
    steps(secret) > secret.length / 2
  )
}

/** Some text again and again, the last time perhaps cut short. */
function isRepeated(text: string): boolean {
  for (let unit = 1; unit <= text.length / 2; unit++) {
    if (text.slice(unit) === text.slice(0, -unit)) return true
  }
  return false
}

/** How many characters follow on the one before, as in "abcdef", "98765" or "aaaa". */
function steps(text: string): number {
  let found = 0
  for (let i = 1; i < text.length; i++) {
    if (Math.abs(text.charCodeAt(i) - text.charCodeAt(i - 1)) <= 1) found += 1
  }
  return found
}

/**
 * How mails are encrypted on their way to the server of an SMTP_URL: from the first byte, by STARTTLS or not at all
 * (`required`), by STARTTLS where it is offered (`opportunistic`). `unknown`: the URL asks for something else.
 */
type SmtpTls = 'required' | 'opportunistic' | 'unknown'

/** Options of the mail library by which a URL could switch encryption off, whatever is asked for here. */
const WEAKENS = /^(secure|ignoretls|requiretls|opportunistictls|tls\..*)$/i

export function smtpTls(url: string): SmtpTls {
  const { protocol, hostname, searchParams } = new URL(url)
  const asked = searchParams.get('tls')
  if ([...searchParams.keys()].some((name) => WEAKENS.test(name))) return 'unknown'
  if (asked !== null && asked !== 'opportunistic') return 'unknown'
  if (protocol === 'smtps:') return 'required'
  return asked === 'opportunistic' || isLoopbackHost(hostname) ? 'opportunistic' : 'required'
}

/** The URL as the mail library reads it. */
export function withSmtpTls(url: string, tls: SmtpTls): string {
  const given = new URL(url)
  given.searchParams.delete('tls')
  if (tls === 'required' && given.protocol === 'smtp:') given.searchParams.set('requireTLS', 'true')
  return given.href
}

const UNITS = { h: HOUR, d: DAY } as const

/**
 * Written as `folder,24h,7`: where to, how often (hours or days), how many to keep; older backups are removed after a new
 * one is complete. `every` is in milliseconds.
 */
export const backupSchedule = z
  .string()
  .regex(
    /^.+,[1-9]\d{0,3}[hd],[1-9]\d{0,3}$/,
    'must be a folder, how often, and how many to keep, such as /var/backups/ratios,24h,7',
  )
  .transform((text) => {
    const [, folder = '', count, unit, keep] = /^(.+),(\d+)([hd]),(\d+)$/.exec(text) ?? []
    return { folder, every: Number(count) * UNITS[unit as keyof typeof UNITS], keep: Number(keep) }
  })

/** Spelled as a browser spells the host of an address, so that endpoints can be compared with it. */
export function isHost(text: string): boolean {
  const [, host = '', port] = /^(\[[\d:a-f.]+\]|[^\s:/?#@*[\]]+)(?::([1-9]\d{0,4}))?$/.exec(text) ?? []
  const url = `http://${host}/`
  return URL.canParse(url) && new URL(url).hostname === host && Number(port ?? 1) <= 65_535
}

/** Written as `host:port`, or as a port of the loopback address. */
export const hostAndPort = z
  .string()
  .regex(/^((\[[\d:a-f.]+\]|[^\s:/?#@*[\]]+):)?\d{1,5}$/, 'must be a port, or host:port')
  .transform((text) => {
    const colon = text.lastIndexOf(':')
    const host = colon === -1 ? '127.0.0.1' : text.slice(0, colon).replace(/^\[|\]$/g, '')
    return { host, port: Number(text.slice(colon + 1)) }
  })
  .refine(({ port }) => port <= 65_535, 'must be a port, or host:port')

/** An address, or a network in CIDR notation. A network of no bits would trust everybody. */
export function isNetwork(text: string): boolean {
  if (ipaddr.isValid(text)) return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text)
  const [address = '', bits = ''] = text.split('/')
  return (
    ipaddr.isValidCIDR(text) &&
    /^[1-9]\d*$/.test(bits) &&
    (address.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(address))
  )
}
