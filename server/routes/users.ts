import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppDeps } from '../app-deps'
import { acceptCurrentPolicies, readOwnAccount } from '../services/accounts/account'
import { scheduleDeletion, schedulePasswordlessDeletion } from '../services/accounts/account-deletion'
import { changePassword, resetByLink } from '../services/accounts/change-password'
import { askForLink } from '../services/accounts/email-links'
import { registerAccount, verifyByLink } from '../services/accounts/register'
import { endUserSessions } from '../services/admin/end-sessions'
import { grantPremium, revokePremium } from '../services/admin/grants'
import { readAuditLog } from '../services/admin/operators'
import { readOverview } from '../services/admin/overview'
import { listUsers, readProfile, readSubscriptions } from '../services/admin/users'
import { keepFeedback } from '../services/feedback/feedback'
import { readMyData } from '../services/my-data/read-my-data'
import { deleteGuest } from '../services/retention'
import { listSecurityEvents } from '../services/security-events'
import { endOtherSessions, endSessionById, listSessions } from '../services/sessions/sessions'
import { serve } from '../http/serve'

/** The account from registering to its deletion, its signed-in devices, and the caller's own data and feedback. */
export function serveUsers(app: FastifyInstance, deps: AppDeps): void {
  serve(app, routes.register, async ({ body }) => {
    const registration_secret = await registerAccount(deps, body)
    const message = 'Your account has been made. Please open the link that was sent to your email address.'
    return { message, registration_secret }
  })

  serve(app, routes.resendVerification, async ({ body }) => {
    await askForLink(deps, 'verify-email', body.email)
    return {
      message: 'If an account with this email exists and is not verified yet, a new verification link has been sent.',
    }
  })

  serve(app, routes.verifyEmail, async ({ body }) => {
    const email = await verifyByLink(deps, body)
    if (email === null) return { message: 'Your email address is already verified. You can log in.' }
    return { message: 'Your email address has been verified. You can log in now.', email }
  })

  serve(app, routes.requestPasswordReset, async ({ body }) => {
    await askForLink(deps, 'reset-password', body.email)
    return { message: 'If an account with this email exists, a link to reset its password has been sent.' }
  })

  serve(app, routes.resetPassword, async ({ body }) => {
    const { deviceToken, passkeysRemoved, passkeysLeft } = await resetByLink(deps, body)
    const message = [
      'You are logged out everywhere. Log in with the new password.',
      ...(passkeysRemoved > 0
        ? ['Passkeys that somebody else may have added are removed: add yours again in Settings.']
        : []),
      ...(passkeysLeft > 0
        ? ['Your recovery codes no longer work: make new ones in Settings once you have logged in with your passkey.']
        : []),
    ].join(' ')
    return { ...(deviceToken !== null && { device_token: deviceToken }), message }
  })

  serve(app, routes.me, async ({ caller }) => readOwnAccount(deps, caller))

  serve(app, routes.acceptPolicies, async ({ caller }) => acceptCurrentPolicies(deps, caller))

  serve(app, routes.changePassword, async ({ caller, body }) => {
    await changePassword(deps, caller, body)
    return { message: 'Your password has been changed. Every other device has been logged out.' }
  })

  serve(app, routes.deleteMe, async ({ caller, body }) => ({
    deletion_scheduled_at: (await scheduleDeletion(deps, caller, body.password)).toISOString(),
  }))

  serve(app, routes.deleteMeOauth, async ({ caller }) => ({
    deletion_scheduled_at: (await schedulePasswordlessDeletion(deps, caller)).toISOString(),
  }))

  serve(app, routes.devices, async ({ caller }) => listSessions(deps, caller))

  serve(app, routes.endSession, async ({ caller, params }) => endSessionById(deps, caller, params.id))

  serve(app, routes.endOtherSessions, async ({ caller }) => endOtherSessions(deps, caller))

  serve(app, routes.securityEvents, async ({ caller, query }) => listSecurityEvents(deps, caller, query))

  serve(app, routes.feedback, async ({ caller, body, op }) => {
    await keepFeedback(deps, { caller, message: body.message, op })
    return { message: 'Thank you for your feedback!' }
  })

  serve(app, routes.myData, async ({ caller }) => readMyData(deps, caller))

  serve(app, routes.deleteMyData, async ({ caller, reply }) => {
    await deleteGuest(deps.database, caller)
    return reply.code(204).send()
  })
}

/** Routes for superusers. */
export function serveAdmin(app: FastifyInstance, deps: AppDeps): void {
  const { database } = deps

  serve(app, routes.adminUsers, async ({ query }) => listUsers(database, query))
  serve(app, routes.adminUser, async ({ params }) => readProfile(database, params.id))
  serve(app, routes.adminSubscriptions, async ({ params }) => readSubscriptions(database, params.id))
  serve(app, routes.grantPremium, async ({ caller, params, body }) =>
    grantPremium(deps, caller, params.id, body.duration_days),
  )
  serve(app, routes.revokePremium, async ({ caller, params }) => revokePremium(deps, caller, params.id))
  serve(app, routes.endUserSessions, async ({ caller, params }) => endUserSessions(deps, caller, params.id))
  serve(app, routes.auditLog, async ({ query }) => readAuditLog(database, query))
  serve(app, routes.overview, async () => readOverview(deps))
}
