import type { FastifyInstance, FastifyReply } from 'fastify'
import { routes } from '../../src/contract/routes'
import { REVISION_HEADER } from '../../src/contract/stream'
import { reorderedCheckpoints, withDefault, withoutCheckpoints } from '../../src/domain/checkpoint-list'
import { pushHosts } from '../adapters/push/push-hosts'
import type { AppDeps } from '../app-deps'
import { readAlertSettings, saveAlertSettings } from '../services/alerts/alert-settings'
import { listAlerts } from '../services/alerts/list-alerts'
import {
  changeList,
  createAnonymousCheckpoint,
  createCheckpoint,
  deleteAnonymousCheckpoint,
  updateCheckpoint,
} from '../services/checkpoints/checkpoints'
import { noteSeen } from '../services/owners'
import { recordShown } from '../services/push/receipts'
import { createRule, deleteRule, updateRule } from '../services/rules/own-rules'
import { subscribe, unsubscribe } from '../services/push/subscriptions'
import { createWidget, removeStoredWidget, reorderStoredWidgets, updateStoredWidget } from '../services/widgets/widgets'
import { ownWidgets } from '../services/widgets/own-widgets'
import { isTagged, serve, serveChange } from '../http/serve'

export function serveCheckpoints(app: FastifyInstance, deps: AppDeps): void {
  serveChange(app, deps, routes.createCheckpoint, (request, { params, body }) =>
    createCheckpoint(deps, request, params.id, body),
  )
  serveChange(app, deps, routes.updateCheckpoint, (request, { params, body }) =>
    updateCheckpoint(deps, request, params, body),
  )

  // These change which checkpoints a widget has, their order or the default, and answer with the list.
  serveChange(app, deps, routes.deleteCheckpoint, (request, { params: { id, checkpoint_id } }) =>
    changeList(deps, request, id, (list) => withoutCheckpoints(list, [checkpoint_id]), checkpoint_id),
  )
  serveChange(app, deps, routes.deleteCheckpoints, (request, { params, body }) =>
    changeList(deps, request, params.id, (list) => withoutCheckpoints(list, body.checkpoint_ids)),
  )
  serveChange(app, deps, routes.reorderCheckpoints, (request, { params, body }) =>
    changeList(deps, request, params.id, (list) => reorderedCheckpoints(list, body.ordered_ids)),
  )
  serveChange(app, deps, routes.setDefaultCheckpoint, (request, { params: { id, checkpoint_id } }) =>
    changeList(deps, request, id, (list) => withDefault(list, checkpoint_id), checkpoint_id),
  )

  serveChange(app, deps, routes.createAnonymousCheckpoint, (request, { params, body }) =>
    createAnonymousCheckpoint(deps, request, params.id, body),
  )
  serveChange(app, deps, routes.deleteAnonymousCheckpoint, (request, { params }) =>
    deleteAnonymousCheckpoint(deps, request, params.id),
  )
}

export function serveRules(app: FastifyInstance, deps: AppDeps): void {
  serveChange(app, deps, routes.createRule, (request, { params, body }) => createRule(deps, request, params.id, body))
  serveChange(app, deps, routes.updateRule, (request, { params, body }) => updateRule(deps, request, params, body))
  serveChange(app, deps, routes.deleteRule, (request, { params }) => deleteRule(deps, request, params))
}

/** Past alerts, and the browsers that get new ones. */
export function serveAlerts(app: FastifyInstance, deps: AppDeps): void {
  const hosts = pushHosts(deps.env.PUSH_ALLOWED_HOSTS)

  serve(app, routes.listAlerts, async ({ caller, query }) => listAlerts(deps, caller, query))
  serve(app, routes.alertSettings, async ({ caller }) => readAlertSettings(deps, caller))
  serveChange(app, deps, routes.saveAlertSettings, (request, { body }) => saveAlertSettings(deps, request, body))
  serveChange(app, deps, routes.subscribePush, (request, { body }) => subscribe(deps, hosts, request, body))
  serveChange(app, deps, routes.unsubscribePush, (request, { body }) => unsubscribe(deps, request, body.endpoint))
  serve(app, routes.pushShown, async ({ request, body }) =>
    recordShown(deps, request.headers.authorization, body.event_ids),
  )
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Weak, since the same list goes out compressed or not. */
const etagOf = (revision: number): string => `W/"${revision}"`

const tagged = (reply: FastifyReply, revision: number): FastifyReply =>
  reply.header(REVISION_HEADER, String(revision)).header('etag', etagOf(revision))

export function serveWidgets(app: FastifyInstance, deps: AppDeps): void {
  const { orm } = deps.database
  const own = ownWidgets(deps.database)
  serve(app, routes.listWidgets, async ({ caller, request, reply }) => {
    const tag = request.headers['if-none-match']
    if (tag !== undefined) {
      const { reader, revision } = await own.revision(caller)
      if (reader !== null) await noteSeen(orm, reader, deps.clock())
      if (isTagged(tag, etagOf(revision))) return tagged(reply, revision).code(304).send()
    }
    const { reader, revision, widgets } = await own.list(caller)
    if (reader !== null) await noteSeen(orm, reader, deps.clock())
    // Not checked once more by the contract's schema, which costs as much as reading the rows: the compiler has checked it.
    return tagged(reply, revision).type(JSON_TYPE).serializer(String).send(JSON.stringify(widgets))
  })

  serveChange(app, deps, routes.createWidget, async (request, { body }) => {
    const created = await createWidget(deps, request, body)
    deps.market.held([body.coin_a_id, body.coin_b_id])
    return created
  })
  serveChange(app, deps, routes.updateWidget, (request, { params, body }) =>
    updateStoredWidget(deps, request, params.id, body),
  )
  serveChange(app, deps, routes.deleteWidget, (request, { params }) => removeStoredWidget(deps, request, params.id))
  serveChange(app, deps, routes.reorderWidgets, (request, { body }) => reorderStoredWidgets(deps, request, body))
}
