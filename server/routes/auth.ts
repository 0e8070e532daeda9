import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppDeps } from '../app-deps'
import { beginConfirmation, confirmIdentity } from '../services/accounts/confirm-identity'
import { logIn } from '../services/accounts/log-in'
import { linkGoogle, signInByGoogle, unlinkGoogle } from '../services/google/sign-in'
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renewRecoveryCodes,
} from '../services/passkeys/own-passkeys'
import { endSession } from '../services/sessions/sessions'
import { refreshSession } from '../services/sessions/refresh-session'
import { passSecondFactor } from '../services/sessions/sign-in'
import { visitOf } from '../services/sessions/devices'
import { serve } from './serve'

/** Signing in, in one step or two, and the ways to do so; tokens belong in no cache (RFC 6749, 5.1). */
export async function serveAuth(app: FastifyInstance, deps: AppDeps): Promise<void> {
  // A plugin of its own: only the sign-in is form-encoded, and it takes nothing else.
  await app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    await forms.register(formbody)
    serve(forms, routes.logIn, async ({ body, request, reply }) => {
      reply.header('cache-control', 'no-store')
      return logIn(deps, body, visitOf(request))
    })
  })

  serve(app, routes.refreshToken, async ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store')
    return refreshSession(deps, body.refresh_token, visitOf(request))
  })

  serve(app, routes.logOut, async ({ body, reply }) => {
    reply.header('cache-control', 'no-store')
    await endSession(deps.database, body.refresh_token)
    return undefined
  })

  serve(app, routes.googleCallback, async ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store')
    return signInByGoogle(deps, body, visitOf(request))
  })

  serve(app, routes.secondFactor, async ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store')
    return passSecondFactor(deps, body, visitOf(request))
  })

  serve(app, routes.confirmOptions, async ({ caller }) => beginConfirmation(deps, caller))
  serve(app, routes.confirm, async ({ caller, body }) => ({
    fresh_until: (await confirmIdentity(deps, caller, body)).toISOString(),
  }))

  serve(app, routes.passkeys, async ({ caller }) => listPasskeys(deps, caller))
  serve(app, routes.addPasskeyOptions, async ({ caller }) => beginPasskey(deps, caller))
  serve(app, routes.addPasskey, async ({ caller, body }) => addPasskey(deps, caller, body))
  serve(app, routes.removePasskey, async ({ caller, params }) => {
    await removePasskey(deps, caller, params.id)
    return undefined
  })
  serve(app, routes.renewRecoveryCodes, async ({ caller }) => ({
    recovery_codes: await renewRecoveryCodes(deps, caller),
  }))

  serve(app, routes.linkGoogle, async ({ caller, body }) => linkGoogle(deps, caller, body))
  serve(app, routes.unlinkGoogle, async ({ caller }) => unlinkGoogle(deps, caller))
}
