import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppDeps } from '../app-deps'
import { readAuditLog } from '../services/admin/audit'
import { grantPremium, revokePremium } from '../services/admin/grants'
import { listUsers, readProfile, readSubscriptions } from '../services/admin/users'
import { readOverview } from '../services/admin/overview'
import { serve } from './serve'

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
  serve(app, routes.auditLog, async ({ query }) => readAuditLog(database, query))
  serve(app, routes.overview, async () => readOverview(deps))
}
