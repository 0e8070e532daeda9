import { alertsAnswer, alertsQuery } from './alerts'
import type { Route } from './routes'

export const alertRoutes = {
  listAlerts: {
    method: 'GET',
    path: '/alerts',
    identity: 'any',
    summary: "The caller's crossings, newest first, a page at a time; those of removed pairs too",
    query: alertsQuery,
    counted: true,
    status: 200,
    answer: alertsAnswer,
  },
} as const satisfies Record<string, Route>
