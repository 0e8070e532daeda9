import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import { pushHosts } from '../adapters/push/push-sender'
import type { AppDeps } from '../app-deps'
import { listAlerts } from '../services/alerts/list-alerts'
import { createAnonymousCheckpoint, deleteAnonymousCheckpoint } from '../services/checkpoints/anonymous'
import {
  changeList,
  createCheckpoint,
  preferring,
  reordered,
  updateCheckpoint,
  withoutMany,
  withoutOne,
} from '../services/checkpoints/checkpoints'
import { findOwner, noteSeen } from '../services/owners'
import { subscribe, unsubscribe } from '../services/push/subscriptions'
import {
  createWidget,
  removeStoredWidget,
  reorderStoredWidgets,
  updateStoredWidget,
} from '../services/widgets/mutations'
import { readStoredWidgets } from '../services/widgets/read'
import { changeRequest, markReplay, orGone, serve } from './serve'

export function serveCheckpoints(app: FastifyInstance, deps: AppDeps): void {
  usersCheckpoints(app, deps)
  usersLists(app, deps)
  guestsCheckpoint(app, deps)
}

function usersCheckpoints(app: FastifyInstance, deps: AppDeps): void {
  serve(app, routes.createCheckpoint, async (call) => {
    const request = changeRequest(deps, routes.createCheckpoint, call)
    const done = await createCheckpoint(deps, request, call.params.id, call.body)
    markReplay(call, done)
    return done.value
  })

  serve(app, routes.updateCheckpoint, async (call) => {
    const request = changeRequest(deps, routes.updateCheckpoint, call)
    return orGone(call, await updateCheckpoint(deps, request, call.params, call.body))
  })
}

/** The calls that change which checkpoints a widget has, their order or the default, and answer with the list. */
function usersLists(app: FastifyInstance, deps: AppDeps): void {
  serve(app, routes.deleteCheckpoint, async (call) => {
    const { id, checkpoint_id } = call.params
    const request = changeRequest(deps, routes.deleteCheckpoint, call)
    return orGone(call, await changeList(deps, request, id, withoutOne(checkpoint_id)))
  })

  serve(app, routes.deleteCheckpoints, async (call) => {
    const request = changeRequest(deps, routes.deleteCheckpoints, call)
    return orGone(call, await changeList(deps, request, call.params.id, withoutMany(call.body.checkpoint_ids)))
  })

  serve(app, routes.reorderCheckpoints, async (call) => {
    const request = changeRequest(deps, routes.reorderCheckpoints, call)
    return orGone(call, await changeList(deps, request, call.params.id, reordered(call.body.ordered_ids)))
  })

  serve(app, routes.setDefaultCheckpoint, async (call) => {
    const { id, checkpoint_id } = call.params
    const request = changeRequest(deps, routes.setDefaultCheckpoint, call)
    return orGone(call, await changeList(deps, request, id, preferring(checkpoint_id)))
  })
}

function guestsCheckpoint(app: FastifyInstance, deps: AppDeps): void {
  serve(app, routes.createAnonymousCheckpoint, async (call) => {
    const request = changeRequest(deps, routes.createAnonymousCheckpoint, call)
    const done = await createAnonymousCheckpoint(deps, request, call.params.id, call.body)
    markReplay(call, done)
    return done.value
  })

  serve(app, routes.deleteAnonymousCheckpoint, async (call) => {
    const request = changeRequest(deps, routes.deleteAnonymousCheckpoint, call)
    markReplay(call, await deleteAnonymousCheckpoint(deps, request, call.params.id))
    return undefined
  })
}

/** Past alerts, and the browsers that are told of new ones. */
export function serveAlerts(app: FastifyInstance, deps: AppDeps): void {
  const hosts = pushHosts(deps.env.PUSH_ALLOWED_HOSTS)

  serve(app, routes.listAlerts, async ({ caller, query }) => listAlerts(deps, caller, query))

  serve(app, routes.subscribePush, async (call) =>
    orGone(call, await subscribe(deps, hosts, changeRequest(deps, routes.subscribePush, call), call.body)),
  )

  serve(app, routes.unsubscribePush, async (call) => {
    markReplay(call, await unsubscribe(deps, changeRequest(deps, routes.unsubscribePush, call), call.body.endpoint))
    return undefined
  })
}

export function serveWidgets(app: FastifyInstance, deps: AppDeps): void {
  serve(app, routes.listWidgets, async ({ caller }) => {
    const owner = await findOwner(deps.database.orm, caller)
    if (owner !== undefined) await noteSeen(deps.database.orm, owner, deps.clock())
    return owner === undefined ? [] : readStoredWidgets(deps.database.orm, owner)
  })

  serve(app, routes.createWidget, async (call) => {
    const done = await createWidget(deps, changeRequest(deps, routes.createWidget, call), call.body)
    markReplay(call, done)
    return done.value
  })

  serve(app, routes.updateWidget, async (call) => {
    const request = changeRequest(deps, routes.updateWidget, call)
    return orGone(call, await updateStoredWidget(deps, request, call.params.id, call.body))
  })

  serve(app, routes.deleteWidget, async (call) => {
    markReplay(call, await removeStoredWidget(deps, changeRequest(deps, routes.deleteWidget, call), call.params.id))
    return undefined
  })

  serve(app, routes.reorderWidgets, async (call) => {
    const request = changeRequest(deps, routes.reorderWidgets, call)
    const done = await reorderStoredWidgets(deps, request, call.body)
    markReplay(call, done)
    return [...done.value]
  })
}
