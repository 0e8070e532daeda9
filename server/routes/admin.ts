import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { readAuditLog } from '../services/admin/audit'
import { grantPremium, revokePremium } from '../services/admin/grants'
import { listUsers } from '../services/admin/list-users'
import { readOverview } from '../services/admin/overview/overview'
import { readProfile, readSubscriptions } from '../services/admin/read-user'
import { serve } from './serve'

/** What superusers see and do. */
export function adminRoutes(app: FastifyInstance, parts: AppParts): void {
  const { database } = parts

  serve(app, routes.adminUsers, async ({ query }) => listUsers(database, query))
  serve(app, routes.adminUser, async ({ params }) => readProfile(database, params.id))
  serve(app, routes.adminSubscriptions, async ({ params }) => readSubscriptions(database, params.id))
  serve(app, routes.grantPremium, async ({ caller, params, body }) =>
    grantPremium(parts, caller, params.id, body.duration_days),
  )
  serve(app, routes.revokePremium, async ({ caller, params }) => revokePremium(parts, caller, params.id))
  serve(app, routes.auditLog, async ({ query }) => readAuditLog(database, query))
  serve(app, routes.overview, async () => readOverview(parts))
}
