import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import { pushHosts } from '../adapters/push/push-hosts'
import type { AppParts } from '../app-parts'
import { subscribe } from '../services/push/subscribe'
import { unsubscribe } from '../services/push/unsubscribe'
import { changeRequest, markReplay, orGone } from './change'
import { serve } from './serve'

export function pushRoutes(app: FastifyInstance, parts: AppParts): void {
  const hosts = pushHosts(parts.env.PUSH_ALLOWED_HOSTS)

  serve(app, routes.subscribePush, async (call) =>
    orGone(call, await subscribe(parts, hosts, changeRequest(parts, routes.subscribePush, call), call.body)),
  )

  serve(app, routes.unsubscribePush, async (call) => {
    markReplay(call, await unsubscribe(parts, changeRequest(parts, routes.unsubscribePush, call), call.body.endpoint))
    return undefined
  })
}
