import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { beginConfirmation, confirmIdentity } from '../services/accounts/confirm-identity'
import { linkGoogle, unlinkGoogle } from '../services/google/link'
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renewRecoveryCodes } from '../services/passkeys/own-passkeys' // prettier-ignore
import { passSecondFactor } from '../services/sessions/second-factor'
import { visitOf } from '../services/sessions/visit'
import { serve } from './serve'

/** The second step of a sign-in, and what needs a fresh one. */
export function passkeyRoutes(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.secondFactor, async ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store')
    return passSecondFactor(parts, body, visitOf(request))
  })

  serve(app, routes.confirmOptions, async ({ caller }) => beginConfirmation(parts, caller))
  serve(app, routes.confirm, async ({ caller, body }) => ({
    fresh_until: (await confirmIdentity(parts, caller, body)).toISOString(),
  }))

  serve(app, routes.passkeys, async ({ caller }) => listPasskeys(parts, caller))
  serve(app, routes.addPasskeyOptions, async ({ caller }) => beginPasskey(parts, caller))
  serve(app, routes.addPasskey, async ({ caller, body }) => addPasskey(parts, caller, body))
  serve(app, routes.removePasskey, async ({ caller, params }) => {
    await removePasskey(parts, caller, params.id)
    return undefined
  })
  serve(app, routes.renewRecoveryCodes, async ({ caller }) => ({
    recovery_codes: await renewRecoveryCodes(parts, caller),
  }))

  serve(app, routes.linkGoogle, async ({ caller, body }) => linkGoogle(parts, caller, body))
  serve(app, routes.unlinkGoogle, async ({ caller }) => unlinkGoogle(parts, caller))
}
