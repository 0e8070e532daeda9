import { adminRoutes } from './admin'
import { alertRoutes, pushRoutes } from './alerts'
import { billingRoutes } from './billing'
import { checkpointRoutes } from './checkpoint'
import { deviceRoutes } from './device'
import { marketRoutes } from './market'
import { myDataRoutes } from './my-data'
import { passkeyRoutes } from './passkeys'
import type { Route } from './route'
import { ruleRoutes } from './rules'
import { securityEventRoutes } from './security-events'
import { accountRoutes, emptyBody, passwordRoutes } from './session'
import { settingsRoutes } from './settings'
import { widgetRoutes } from './widget'

export const API_BASE = '/api/v1'

export const routes = {
  ...widgetRoutes,
  ...checkpointRoutes,
  ...ruleRoutes,
  ...marketRoutes,
  ...settingsRoutes,
  ...accountRoutes,
  ...pushRoutes,
  ...alertRoutes,
  ...passwordRoutes,
  ...passkeyRoutes,
  ...myDataRoutes,
  ...deviceRoutes,
  ...securityEventRoutes,
  ...billingRoutes,
  ...adminRoutes,

  resetUserState: {
    method: 'POST',
    path: '/testing/reset-user-state',
    identity: 'any',
    summary: "Removes the caller's widgets and checkpoints; only where testing routes are enabled",
    body: emptyBody,
    status: 204,
    answer: null,
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
