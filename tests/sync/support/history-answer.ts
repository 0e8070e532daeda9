import { MINUTE } from '../../../src/domain/granularity'
import { NOW } from '../../db/support/entries'
import { type Handler, json } from './wire'

export type Point = readonly [time: number, price: number]

/** Body of a history answer of five-minute points. */
export const historyAnswer = (data: readonly Point[]) => ({
  data,
  granularity: 'fiveMinutely',
  source: 'simulated',
  backfill: [],
})

/** Serves a caller that sends the answer's ETag a 304. */
export const unchangedWithEtag: Handler = ({ init }) =>
  new Headers(init.headers).get('If-None-Match') === '"h"'
    ? new Response(null, { status: 304 })
    : json(200, historyAnswer([[NOW - MINUTE, 5]]), { etag: '"h"' })
