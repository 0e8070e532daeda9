import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { createAnonymousCheckpoint, deleteAnonymousCheckpoint } from '../services/checkpoints/anonymous'
import { changeList, preferring, reordered, withoutMany, withoutOne } from '../services/checkpoints/change-list'
import { createCheckpoint } from '../services/checkpoints/create'
import { updateCheckpoint } from '../services/checkpoints/update'
import { changeRequest, markReplay, orGone } from './change'
import { serve } from './serve'

export function checkpointRoutes(app: FastifyInstance, parts: AppParts): void {
  usersCheckpoints(app, parts)
  usersLists(app, parts)
  guestsCheckpoint(app, parts)
}

function usersCheckpoints(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.createCheckpoint, async (call) => {
    const request = changeRequest(parts, routes.createCheckpoint, call)
    const done = await createCheckpoint(parts, request, call.params.id, call.body)
    markReplay(call, done)
    return done.value
  })

  serve(app, routes.updateCheckpoint, async (call) => {
    const request = changeRequest(parts, routes.updateCheckpoint, call)
    return orGone(call, await updateCheckpoint(parts, request, call.params, call.body))
  })
}

/** The calls that change which checkpoints a widget has, their order or the default, and answer with the list. */
function usersLists(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.deleteCheckpoint, async (call) => {
    const { id, checkpoint_id } = call.params
    const request = changeRequest(parts, routes.deleteCheckpoint, call)
    return orGone(call, await changeList(parts, request, id, withoutOne(checkpoint_id)))
  })

  serve(app, routes.deleteCheckpoints, async (call) => {
    const request = changeRequest(parts, routes.deleteCheckpoints, call)
    return orGone(call, await changeList(parts, request, call.params.id, withoutMany(call.body.checkpoint_ids)))
  })

  serve(app, routes.reorderCheckpoints, async (call) => {
    const request = changeRequest(parts, routes.reorderCheckpoints, call)
    return orGone(call, await changeList(parts, request, call.params.id, reordered(call.body.ordered_ids)))
  })

  serve(app, routes.setDefaultCheckpoint, async (call) => {
    const { id, checkpoint_id } = call.params
    const request = changeRequest(parts, routes.setDefaultCheckpoint, call)
    return orGone(call, await changeList(parts, request, id, preferring(checkpoint_id)))
  })
}

function guestsCheckpoint(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.createAnonymousCheckpoint, async (call) => {
    const request = changeRequest(parts, routes.createAnonymousCheckpoint, call)
    const done = await createAnonymousCheckpoint(parts, request, call.params.id, call.body)
    markReplay(call, done)
    return done.value
  })

  serve(app, routes.deleteAnonymousCheckpoint, async (call) => {
    const request = changeRequest(parts, routes.deleteAnonymousCheckpoint, call)
    markReplay(call, await deleteAnonymousCheckpoint(parts, request, call.params.id))
    return undefined
  })
}
