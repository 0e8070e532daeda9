import * as z from 'zod'
import { alertMessage } from './push'
import type { Route } from './routes'
import { isoTime } from './scalars'

/** Crossings of one answer, unless asked for another number, and at most. */
export const ALERTS_PAGE_SIZE = 100
export const LARGEST_ALERTS_PAGE = 500

const alertsQuery = z.strictObject({
  /** The `as_of` of an earlier answer: only what has fired or come back since then. */
  since: isoTime.optional(),
  skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(LARGEST_ALERTS_PAGE).default(ALERTS_PAGE_SIZE),
})

/** A crossing that the server recorded; the pair may have been removed since. */
const crossing = alertMessage.omit({ type: true, owner: true }).extend({
  /** Of a coin that has become worthless it may be as large as a number can be. */
  ratio: z.number().min(0),
  /** When a later price armed the side again, by being on this side of the crossed threshold; null: not yet, or never. */
  back_at: isoTime.nullable(),
})
export type Crossing = z.infer<typeof crossing>

const alertsAnswer = z.object({
  /** The server's time. A crossing that is recorded after this answer is in an answer to `since` this time. */
  as_of: isoTime,
  /** Newest first. */
  alerts: z.array(crossing),
})
export type AlertsAnswer = z.infer<typeof alertsAnswer>

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
