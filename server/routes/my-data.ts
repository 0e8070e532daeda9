import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { deleteGuest } from '../services/my-data/delete-guest'
import { readMyData } from '../services/my-data/read-my-data'
import { serve } from './serve'

export function myDataRoutes(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.myData, async ({ caller }) => readMyData(parts, caller))

  serve(app, routes.deleteMyData, async ({ caller, reply }) => {
    await deleteGuest(parts.database, caller)
    return reply.code(204).send()
  })
}
