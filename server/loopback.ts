import ipaddr from 'ipaddr.js'

/** Whether a host name or address, as written in HOST or in a URL, means this machine alone. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}

/** Whether a connection's other end is on this machine, however its address is written. */
export const isLoopbackAddress = (ip: string | undefined): boolean =>
  ip !== undefined && ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback'
