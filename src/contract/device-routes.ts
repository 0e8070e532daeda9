import * as z from 'zod'
import { device } from './device'
import type { Route } from './routes'

/** The sessions of an account, and ending them. */
export const deviceRoutes = {
  devices: {
    method: 'GET',
    path: '/users/me/sessions',
    identity: 'user',
    summary: "The caller's sessions, one a logged-in browser; the one that asks comes first, then the latest used",
    status: 200,
    answer: z.array(device),
  },
  endSession: {
    method: 'DELETE',
    path: '/users/me/sessions/:id',
    identity: 'user',
    summary: "Ends one of the caller's sessions, and its notifications; one that is over already counts as ended",
    params: z.strictObject({ id: z.uuid() }),
    status: 204,
    answer: null,
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/users/me/sessions',
    identity: 'user',
    summary: "Ends all of the caller's sessions but the one that asks, and their notifications",
    status: 204,
    answer: null,
  },
} as const satisfies Record<string, Route>
