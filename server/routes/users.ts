import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { askForLink } from '../services/accounts/ask-for-link'
import { acceptPolicies, readOwnAccount } from '../services/accounts/own-account'
import { changePassword } from '../services/accounts/change-password'
import { register } from '../services/accounts/register'
import { resetPassword } from '../services/accounts/reset-password'
import { scheduleDeletion, schedulePasswordlessDeletion } from '../services/accounts/schedule-deletion'
import { verifyEmail } from '../services/accounts/verify-email'
import { visitOf } from '../services/sessions/visit'
import { serve } from './serve'

/** Having an account: from registering to asking for its deletion. */
export function userRoutes(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.register, async ({ body }) => {
    const registration_secret = await register(parts, body)
    const message = 'Your account has been made. Please open the link that was sent to your email address.'
    return { message, registration_secret }
  })

  serve(app, routes.resendVerification, async ({ body }) => {
    await askForLink(parts, 'verify-email', body.email)
    return { message: 'If an account with this email exists and is not verified yet, a new verification link has been sent.' } // prettier-ignore
  })

  serve(app, routes.verifyEmail, async ({ body }) => {
    const email = await verifyEmail(parts, body)
    if (email === null) return { message: 'Your email address is already verified. You can log in.' }
    return { message: 'Your email address has been verified. You can log in now.', email }
  })

  serve(app, routes.requestPasswordReset, async ({ body }) => {
    await askForLink(parts, 'reset-password', body.email)
    return { message: 'If an account with this email exists, a link to reset its password has been sent.' }
  })

  serve(app, routes.resetPassword, async ({ body, request }) => {
    const device_token = await resetPassword(parts, body, visitOf(request))
    return {
      ...(device_token !== null && { device_token }),
      message: 'Your password has been changed. Please log in with the new one.',
    }
  })

  serve(app, routes.me, async ({ caller }) => readOwnAccount(parts, caller))

  serve(app, routes.acceptPolicies, async ({ caller }) => acceptPolicies(parts, caller))

  serve(app, routes.changePassword, async ({ caller, body }) => {
    await changePassword(parts, caller, body)
    return { message: 'Your password has been changed. Every other device has been logged out.' }
  })

  serve(app, routes.deleteMe, async ({ caller, body }) => {
    return { deletion_scheduled_at: (await scheduleDeletion(parts, caller, body.password)).toISOString() }
  })

  serve(app, routes.deleteMeOauth, async ({ caller }) => {
    return { deletion_scheduled_at: (await schedulePasswordlessDeletion(parts, caller)).toISOString() }
  })
}
