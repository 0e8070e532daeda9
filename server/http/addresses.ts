import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { AsyncLocalStorage } from 'node:async_hooks'

/** True if a host name or address, as written in HOST or in a URL, means this machine alone. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}

/** True if a connection's other end is on this machine, however its address is written. */
export const isLoopbackAddress = (ip: string | undefined): boolean =>
  ip !== undefined && ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback'

/** True if a host of a URL is an address, and the same as the other one, however the two are written. */
export function isSameAddress(host: string, address: string | undefined): boolean {
  const plain = host.replace(/^\[|\]$/g, '')
  if (address === undefined || !ipaddr.isValid(plain) || !ipaddr.isValid(address)) return false
  return ipaddr.process(plain).toString() === ipaddr.process(address).toString()
}

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

/** For a text that is no address, from a trusted proxy. Such requests share one limit. */
const NO_ADDRESS: AddressKeys = { host: 'unknown', site: null, org: null }

/** Networks of the addresses that asked lately: each request needs them twice. */
const known = new Map<string, AddressKeys>()
const MAX_KNOWN = 5_000
/** Characters of an IPv6 address with a zone and a port. */
const MAX_ADDRESS = 80

/** @param ip as `request.ip` has it; an IPv4-mapped IPv6 address counts as the IPv4 address */
export function addressKeys(ip: string): AddressKeys {
  const there = known.get(ip)
  if (there !== undefined) return there
  const keys = keysOf(ip)
  if (known.size >= MAX_KNOWN) known.clear()
  // A proxy may hand on any text.
  if (ip.length <= MAX_ADDRESS) known.set(ip, keys)
  return keys
}

function keysOf(ip: string): AddressKeys {
  // Some proxies write a port behind the address.
  const plain = ip.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  if (!ipaddr.isValid(plain)) return NO_ADDRESS
  const address = ipaddr.process(plain)
  if (address.kind() === 'ipv4') return { host: address.toString(), site: null, org: null }
  const network = (bits: number) =>
    `${ipaddr.IPv6.networkAddressFromCIDR(`${plain.replace(/%.*$/, '')}/${bits}`).toString()}/${bits}`
  return { host: network(64), site: network(56), org: network(48) }
}

/** A network, and how many times the limit of a single host holds for it. */
export interface CountedNetwork {
  readonly network: string
  readonly times: number
}

/** Each network of an address, narrowest first. */
export const networksOf = (ip: string): readonly CountedNetwork[] => networksOfKeys(addressKeys(ip))

function networksOfKeys({ host, site, org }: AddressKeys): readonly CountedNetwork[] {
  return [
    { network: host, times: 1 },
    ...(site === null ? [] : [{ network: site, times: SITE_TIMES }]),
    ...(org === null ? [] : [{ network: org, times: ORG_TIMES }]),
  ]
}

/**
 * The network that a user is shown an address by: wide enough not to be the address, narrow enough to tell home from
 * abroad. A /24 of IPv4, a /48 of IPv6; null: unknown.
 */
export function coarseNetwork({ host, org }: Pick<AddressKeys, 'host' | 'org'>): string | null {
  if (org !== null) return org
  return host === NO_ADDRESS.host ? null : host.replace(/\d+$/, '0/24')
}

/** As `networksOf`, for what is counted by the /24 of IPv4: a subscriber may have several addresses of one. */
export const blocksOf = (keys: AddressKeys): readonly CountedNetwork[] =>
  keys.org === null ? [{ network: coarseNetwork(keys) ?? keys.host, times: 1 }] : networksOfKeys(keys)

/** Client of the request that is being handled. */
interface RequestOrigin {
  readonly address: AddressKeys
  readonly userAgent: string | undefined
  /** Multiplies what its networks may do. */
  readonly limitFactor: number
}

const originOfRequest = new AsyncLocalStorage<RequestOrigin>()

/** Null outside of requests. */
export const requestOrigin = (): RequestOrigin | null => originOfRequest.getStore() ?? null

export const withRequestOrigin = <T>(
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
  limitFactor: number,
  work: () => T,
): T => originOfRequest.run({ address: addressKeys(ip), userAgent: headers['user-agent'], limitFactor }, work)

/** Lets a handler, and all that it calls, read where the request comes from. */
export function noteRequestOrigins(app: FastifyInstance, limitFactor: number): void {
  // With `done`, so that the handler itself runs inside; not earlier, since bodies arrive in a context of their own.
  app.addHook('preHandler', (request, _reply, done) => withRequestOrigin(request, limitFactor, done))
}
