/**
 * The push services of the browsers there are; endpoints anywhere else are refused, since they are addresses that others
 * give us to send requests to.
 */
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
export const pushHosts = (named: readonly string[] | undefined): PushHosts =>
  named === undefined ? admitKnown : (endpoint) => admitNamed(named, endpoint)

function admitKnown(endpoint: string): Admitted | null {
  const url = parse(endpoint)
  if (url?.protocol !== 'https:' || url.port !== '') return null
  return KNOWN.test(url.hostname) ? { url, named: false } : null
}

function admitNamed(named: readonly string[], endpoint: string): Admitted | null {
  const url = parse(endpoint)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  return named.includes(url.hostname) || named.includes(`${url.hostname}:${port}`) ? { url, named: true } : null
}

function parse(endpoint: string): URL | null {
  const url = PLAIN.test(endpoint) && URL.canParse(endpoint) ? new URL(endpoint) : null
  return url === null || url.username !== '' || url.password !== '' || url.hash !== '' ? null : url
}
