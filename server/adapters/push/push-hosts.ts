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

/** An endpoint that we may send to. */
export interface Admitted {
  readonly url: URL
  /** The operator has named its host, which may then be anywhere, this machine included. */
  readonly named: boolean
}

/** @returns where an endpoint leads; null where nothing may be sent */
export type PushHosts = (endpoint: string) => Admitted | null

/**
 * @param named `host` or `host:port`, in small letters: replace the known push services, and may be plain http. A host
 * without a port is meant with all of its ports.
 */
export const pushHosts =
  (named: readonly string[] | undefined): PushHosts =>
  (endpoint) => {
    const url = PLAIN.test(endpoint) && URL.canParse(endpoint) ? new URL(endpoint) : null
    if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return null
    const { protocol, hostname } = url
    if (named === undefined)
      return protocol === 'https:' && url.port === '' && KNOWN.test(hostname) ? { url, named: false } : null
    if (protocol !== 'https:' && protocol !== 'http:') return null
    const port = url.port === '' ? (protocol === 'https:' ? '443' : '80') : url.port
    return named.includes(hostname) || named.includes(`${hostname}:${port}`) ? { url, named: true } : null
  }
