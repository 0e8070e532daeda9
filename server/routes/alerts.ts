import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { listAlerts } from '../services/alerts/list-alerts'
import { serve } from './serve'

export function alertRoutes(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.listAlerts, async ({ caller, query }) => listAlerts(parts, caller, query))
}
