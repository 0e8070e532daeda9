import type { FastifyInstance } from 'fastify'
import { addressKeys } from '../http/addresses'
import { limitConcurrency } from '../waits'

/**
 * Requests of one network, an IPv4 address or a /48 of IPv6, that are handled at once. Connections to the database are given in
 * the order of asking: hundreds at once of one stranger, all for one row, kept everybody's logins waiting until they failed.
 */
const CONCURRENT_REQUESTS = 30

/** Lets a network's requests to the API wait for its own, beyond some. To be called before the routes are there. */
export function takeTurnsByNetwork(app: FastifyInstance): void {
  const networks = new Map<string, { readonly inTurn: ReturnType<typeof limitConcurrency>; requests: number }>()
  app.addHook('onRoute', (route) => {
    if (route.config?.identity === undefined) return
    const handle = route.handler
    route.handler = async function (request, reply) {
      const { org, host } = addressKeys(request.ip)
      const key = org ?? host
      const network = networks.get(key) ?? { inTurn: limitConcurrency(CONCURRENT_REQUESTS), requests: 0 }
      networks.set(key, network)
      network.requests += 1
      try {
        return await network.inTurn(async () => handle.call(this, request, reply))
      } finally {
        network.requests -= 1
        if (network.requests === 0) networks.delete(key)
      }
    }
  })
}
