import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { findOwner, noteSeen } from '../services/owners'
import { createWidget } from '../services/widgets/create'
import { readWidgets } from '../services/widgets/read'
import { removeWidget } from '../services/widgets/remove'
import { reorderWidgets } from '../services/widgets/reorder'
import { updateWidget } from '../services/widgets/update'
import { changeRequest, markReplay, orGone } from './change'
import { serve } from './serve'

export function widgetRoutes(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.listWidgets, async ({ caller }) => {
    const owner = await findOwner(parts.database.orm, caller)
    if (owner !== undefined) await noteSeen(parts.database.orm, owner, parts.clock())
    return owner === undefined ? [] : readWidgets(parts.database.orm, owner)
  })

  serve(app, routes.createWidget, async (call) => {
    const done = await createWidget(parts, changeRequest(parts, routes.createWidget, call), call.body)
    markReplay(call, done)
    return done.value
  })

  serve(app, routes.updateWidget, async (call) => {
    const request = changeRequest(parts, routes.updateWidget, call)
    return orGone(call, await updateWidget(parts, request, call.params.id, call.body))
  })

  serve(app, routes.deleteWidget, async (call) => {
    markReplay(call, await removeWidget(parts, changeRequest(parts, routes.deleteWidget, call), call.params.id))
    return undefined
  })

  serve(app, routes.reorderWidgets, async (call) => {
    const request = changeRequest(parts, routes.reorderWidgets, call)
    const done = await reorderWidgets(parts, request, call.body)
    markReplay(call, done)
    return [...done.value]
  })
}
