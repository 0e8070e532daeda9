import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppDeps } from '../app-deps'
import { beginConfirmation, confirmIdentity } from '../services/accounts/confirm-identity'
import { logIn } from '../services/accounts/log-in'
import { beginAlone, logInByPasskey, registerByPasskey } from '../services/accounts/passkey-account'
import { linkGoogle, signInByGoogle, unlinkGoogle } from '../services/google/sign-in'
import { disownPasskey } from '../services/passkeys/disown-passkey'
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renewRecoveryCodes,
} from '../services/passkeys/own-passkeys'
import { visitOf } from '../services/sessions/devices'
import { refreshSession } from '../services/sessions/refresh-session'
import { endSessionOfToken } from '../services/sessions/sessions'
import { passSecondFactor } from '../services/sessions/sign-in'
import { serve, takeFormsAlone } from '../http/serve'

/** Logging in, in one step or two, and the ways to do so. */
export async function serveAuth(app: FastifyInstance, deps: AppDeps): Promise<void> {
  // A plugin of its own: only this route is form-encoded, and it takes nothing else.
  await app.register(async (forms) => {
    await takeFormsAlone(forms)
    serve(forms, routes.logIn, async ({ body, request }) => logIn(deps, body, visitOf(request)))
  })
  serve(app, routes.refreshToken, async ({ body, request }) =>
    refreshSession(deps, body.refresh_token, visitOf(request)),
  )
  serve(app, routes.logOut, async ({ body }) => endSessionOfToken(deps.database, body.refresh_token, deps.clock()))
  serve(app, routes.googleCallback, async ({ body, request }) => signInByGoogle(deps, body, visitOf(request)))
  serve(app, routes.secondFactor, async ({ body, request }) => passSecondFactor(deps, body, visitOf(request)))

  serve(app, routes.passkeyOptions, async ({ body }) => beginAlone(deps, body.email))
  serve(app, routes.logInByPasskey, async ({ body, request }) => logInByPasskey(deps, body, visitOf(request)))
  serve(app, routes.registerByPasskey, async ({ body, request }) => registerByPasskey(deps, body, visitOf(request)))

  serve(app, routes.confirmOptions, async ({ caller }) => beginConfirmation(deps, caller))
  serve(app, routes.confirm, async ({ caller, body }) => ({
    fresh_until: (await confirmIdentity(deps, caller, body)).toISOString(),
  }))

  serve(app, routes.passkeys, async ({ caller }) => listPasskeys(deps, caller))
  serve(app, routes.addPasskeyOptions, async ({ caller }) => beginPasskey(deps, caller))
  serve(app, routes.addPasskey, async ({ caller, body, request }) => addPasskey(deps, caller, body, visitOf(request)))
  serve(app, routes.removePasskey, async ({ caller, params }) => removePasskey(deps, caller, params.id))
  serve(app, routes.disownPasskey, async ({ body }) => {
    const email = await disownPasskey(deps, body.token)
    return { message: 'The passkey opens your account no more, and every device has been logged out.', email }
  })
  serve(app, routes.renewRecoveryCodes, async ({ caller }) => ({
    recovery_codes: await renewRecoveryCodes(deps, caller),
  }))

  serve(app, routes.linkGoogle, async ({ caller, body }) => linkGoogle(deps, caller, body))
  serve(app, routes.unlinkGoogle, async ({ caller }) => unlinkGoogle(deps, caller))
}
