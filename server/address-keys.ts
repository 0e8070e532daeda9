import ipaddr from 'ipaddr.js'

/** The networks that requests from an address are counted for. Null: an IPv4 address, counted by itself alone. */
export interface AddressKeys {
  /** The address itself; of IPv6 the /64, since a subscriber chooses freely among at least 2^64 addresses. */
  readonly host: string
  /** Of IPv6 the /56, which many providers give to a household. */
  readonly site: string | null
  /** Of IPv6 the /48, which a provider gives to a company, and a tunnel to anybody. */
  readonly org: string | null
}

/** How many times a host's limit holds for the wider networks. */
const SITE_TIMES = 4
const ORG_TIMES = 16

/** Everything that is no address: a trusted proxy passed on what it should not. Such requests share one limit. */
const NO_ADDRESS: AddressKeys = { host: 'unknown', site: null, org: null }

/** @param ip as `request.ip` has it; an IPv4-mapped IPv6 address counts as the IPv4 address */
export function addressKeys(ip: string): AddressKeys {
  // Some proxies write a port behind the address.
  const plain = ip.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  if (!ipaddr.isValid(plain)) return NO_ADDRESS
  const address = ipaddr.process(plain)
  if (address.kind() === 'ipv4') return { host: address.toString(), site: null, org: null }
  const network = (bits: number) => `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(plain)}/${bits}`).toString()}/${bits}` // prettier-ignore
  return { host: network(64), site: network(56), org: network(48) }
}

const withoutZone = (ip: string): string => ip.replace(/%.*$/, '')

/** A network, and how many times the limit of a single host holds for it. */
export interface NetworkShare {
  readonly network: string
  readonly times: number
}

/** Narrowest first. */
export function networksOf(ip: string): readonly NetworkShare[] {
  const { host, site, org } = addressKeys(ip)
  return [
    { network: host, times: 1 },
    ...(site === null ? [] : [{ network: site, times: SITE_TIMES }]),
    ...(org === null ? [] : [{ network: org, times: ORG_TIMES }]),
  ]
}
