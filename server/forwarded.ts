import type { IncomingHttpHeaders } from 'node:http'

/** Headers that reverse proxies, tunnels and content networks add to what they pass on; X-Forwarded-* besides. */
const OF_PROXIES: readonly string[] = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'cf-connecting-ip',
  'cf-ray',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'ngrok-skip-browser-warning',
]

/** True if a proxy says that it passed the request on for somebody else. */
export const cameThroughProxy = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) => name.startsWith('x-forwarded-') || OF_PROXIES.includes(name))
