import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { createAnonymousCheckpoint, deleteAnonymousCheckpoint } from '../services/checkpoints/anonymous'
import { changeRequest, markReplay } from './change'
import { serve } from './serve'

export function checkpointRoutes(app: FastifyInstance, parts: AppParts): void {
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
