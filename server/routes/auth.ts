import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { logIn } from '../services/accounts/log-in'
import { refreshSession } from '../services/sessions/refresh-session'
import { logOut } from '../services/sessions/revoke-sessions'
import { visitOf } from '../services/sessions/visit'
import { serve } from './serve'

/** Beginning, continuing and ending a session. What is answered here belongs in no cache (RFC 6749, 5.1). */
export async function authRoutes(app: FastifyInstance, parts: AppParts): Promise<void> {
  // In a room of its own: nothing but the sign-in is form-encoded, and that is nothing else.
  await app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    await forms.register(formbody)
    serve(forms, routes.logIn, async ({ body, request, reply }) => {
      reply.header('cache-control', 'no-store')
      return logIn(parts, body, visitOf(request))
    })
  })

  serve(app, routes.refreshToken, async ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store')
    return refreshSession(parts, body.refresh_token, visitOf(request))
  })

  serve(app, routes.logOut, async ({ body, reply }) => {
    reply.header('cache-control', 'no-store')
    await logOut(parts.database, body.refresh_token)
    return undefined
  })
}
