import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { endOtherSessions, endSession, listSessions } from '../services/sessions/own-sessions'
import { serve } from './serve'

/** The browsers in which the caller is signed in. */
export function deviceRoutes(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.devices, async ({ caller }) => [...(await listSessions(parts, caller))])

  serve(app, routes.endSession, async ({ caller, params }) => {
    await endSession(parts, caller, params.id)
    return undefined
  })

  serve(app, routes.endOtherSessions, async ({ caller }) => {
    await endOtherSessions(parts, caller)
    return undefined
  })
}
