import ipaddr from 'ipaddr.js'

/** All that IANA has given out of IPv6 for global unicast so far. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** True for an address of the public internet: of no private, local, mapped, translated or reserved range. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6)
}

/** The push services of the browsers there are. Browsers give us endpoints to send requests to, so others are refused. */
const KNOWN =
  /^(fcm\.googleapis\.com|([a-z\d-]+\.)+(push\.services\.mozilla\.com|notify\.windows\.com|push\.apple\.com))$/

/** Characters that no browser writes into an endpoint, and that URL parsers may read differently. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/

/** An address that we may send to. */
export interface Admitted {
  readonly url: URL
  /** The operator has named its host, which may then be anywhere, this machine included. */
  readonly named: boolean
}

/** @returns where an address leads; null where nothing may be sent */
export type PushHosts = (endpoint: string) => Admitted | null

/**
 * @param named `host` or `host:port`, in small letters: replace the known push services, and may be plain http. A host
 * without a port is meant with all of its ports.
 */
export const pushHosts =
  (named: readonly string[] | undefined): PushHosts =>
  (endpoint) => {
    const url = plainUrl(endpoint)
    if (url === null) return null
    const { protocol, hostname } = url
    if (named !== undefined) return isNamed(url, named) ? { url, named: true } : null
    return protocol === 'https:' && url.port === '' && KNOWN.test(hostname) ? { url, named: false } : null
  }

/**
 * Receivers of webhooks: any by https, whose addresses are checked at each connection.
 * @param named `host` or `host:port`, in small letters: may be plain http as well, and anywhere
 */
export const webhookHosts =
  (named: readonly string[]): PushHosts =>
  (address) => {
    const url = plainUrl(address)
    if (url === null) return null
    if (isNamed(url, named)) return { url, named: true }
    return url.protocol === 'https:' ? { url, named: false } : null
  }

function plainUrl(text: string): URL | null {
  const url = PLAIN.test(text) && URL.canParse(text) ? new URL(text) : null
  return url === null || url.username !== '' || url.password !== '' || url.hash !== '' ? null : url
}

function isNamed({ protocol, hostname, port: given }: URL, named: readonly string[]): boolean {
  if (protocol !== 'https:' && protocol !== 'http:') return false
  const port = given === '' ? (protocol === 'https:' ? '443' : '80') : given
  return named.includes(hostname) || named.includes(`${hostname}:${port}`)
}
