import * as z from 'zod/mini'
import type { Route } from './route'
import { isoTime } from './scalars'

/** A session of the caller: a browser that is signed in. */
export const device = z.object({
  id: z.uuid(),
  /** Such as "Chrome on Android", from its User-Agent; null: unknown. */
  label: z.nullable(z.string()),
  signed_in_at: isoTime,
  /** Time of its last refresh, so exact to a quarter of an hour at best. */
  last_seen_at: isoTime,
  /** True: the browser gets alerts by push. */
  gets_push: z.boolean(),
  /** How many of the last alerts sent to it the browser has not shown, once it has shown any; absent: none, or an older server. */
  unshown: z.optional(z.int()),
  /** True: the session of the caller. */
  is_current: z.boolean(),
})
export type Device = z.infer<typeof device>

/** The sessions of an account, and ending them. */
export const deviceRoutes = {
  devices: {
    method: 'GET',
    path: '/users/me/sessions',
    identity: 'user',
    summary: "The caller's sessions, one a logged-in browser; the one that asks comes first, then the latest used",
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
