import type { LookupAddress } from 'node:dns'
import ipaddr from 'ipaddr.js'

/** No address that a host has may be used, since one of them is not of the public internet. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic'
  readonly code = 'NOT_PUBLIC'
}

/** All that IANA has given out of IPv6 for global unicast so far. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is one of the public internet: of no private, local, mapped, translated or reserved range. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6)
}

/** @throws NotPublic unless every address is: a name that has one in our own network is not a push service's */
export function requirePublic(addresses: readonly LookupAddress[]): readonly LookupAddress[] {
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new NotPublic('A push service was found at an address that is not public')
  }
  return addresses
}
