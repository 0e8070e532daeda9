import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { signInWithGoogle } from '../services/google/sign-in'
import { visitOf } from '../services/sessions/visit'
import { serve } from './serve'

export function googleRoutes(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.googleCallback, async ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store')
    return signInWithGoogle(parts, body, visitOf(request))
  })
}
