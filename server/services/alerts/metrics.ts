import { sql } from 'drizzle-orm'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { ALERT_SIDES } from '../../../src/domain/alerts'
import { COUNTED_TO } from '../../../src/domain/counted-to'
import { upTo } from '../../db/count'
import type { Database, Queryable } from '../../db/open'
import { DELIVERY_MESSAGES, type DeliveryOutcome } from '../push/record-delivery'
import { readFigure } from '../read-figure'
import type { ServiceDeps } from '../service-deps'
import type { Crossings } from './fire-alerts'

export type AlertMetrics = ReturnType<typeof alertMetrics>

export function alertMetrics(registry: Registry) {
  const duration = new Histogram({
    name: 'alert_evaluation_seconds',
    help: 'Time to judge the ratios of a price update',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const crossings = new Counter({
    name: 'alert_crossings_total',
    help: 'Crossings that fired an alert',
    labelNames: ['side'],
    registers: [registry],
  })
  for (const side of ALERT_SIDES) crossings.inc({ side }, 0)
  return {
    /** An update's ratios were judged. */
    evaluated: (seconds: number): void => duration.observe(seconds),
    /** Crossings were recorded. */
    crossed: (counted: Crossings): void => {
      for (const side of ALERT_SIDES) crossings.inc({ side }, counted[side])
    },
  }
}

/** Ways of an alert to its owner, each with what may come of a message. */
const FATES = {
  push: ['sent', 'again', 'gone', 'refused', 'undeliverable', 'too-late', 'unwanted', 'superseded'],
  email: ['queued', 'sent', 'again', 'undeliverable', 'unwanted'],
  webhook: ['sent', 'again', 'too-late', 'ended', 'off', 'unwanted'],
  telegram: ['sent', 'again', 'too-late', 'ended', 'off', 'unwanted'],
} as const
type Channel = keyof typeof FATES
export type Fate = (typeof FATES)[Channel][number]

/** Counts a message of alerts by its way and what came of it. */
export type CountDelivery = (channel: Channel, fate: Fate) => void

export function deliveryCounter(registry: Registry): CountDelivery {
  const deliveries = new Counter({
    name: 'deliveries_total',
    help: 'Messages with alerts by their way and what came of a try; again: it is tried once more',
    labelNames: ['channel', 'fate'],
    registers: [registry],
  })
  for (const [channel, fates] of Object.entries(FATES)) for (const fate of fates) deliveries.inc({ channel, fate }, 0)
  return (channel, fate) => deliveries.inc({ channel, fate })
}

export type PushMetrics = ReturnType<typeof pushMetrics>

export function pushMetrics(
  registry: Registry,
  { orm }: Database,
  count: CountDelivery,
  logger?: ServiceDeps['logger'],
) {
  const outcomes = new Counter({
    name: 'push_deliveries_total',
    help: 'As deliveries_total of push, under the name of earlier versions',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of Object.keys(DELIVERY_MESSAGES)) outcomes.inc({ outcome }, 0)
  const latency = new Histogram({
    name: 'push_latency_seconds',
    help: "Time from a crossing to the push service's acceptance",
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600],
    registers: [registry],
  })
  const waiting = new Gauge({
    name: 'push_waiting',
    help: `Crossings and deliveries that wait, of all processes; of more than ${COUNTED_TO.waiting} so many`,
    labelNames: ['what'],
    registers: [registry],
    collect: async () => {
      const backlog = await readFigure('push_waiting', alertBacklog(orm), logger)
      waiting.set({ what: 'crossings' }, backlog?.crossings ?? NaN)
      waiting.set({ what: 'deliveries' }, backlog?.deliveries ?? NaN)
    },
  })
  return {
    /** A delivery was tried, or given up. */
    recorded: (outcome: DeliveryOutcome['kind']): void => {
      outcomes.inc({ outcome })
      count('push', outcome)
    },
    /** A push service has accepted an alert. */
    accepted: (secondsSinceCrossing: number): void => latency.observe(secondsSinceCrossing),
  }
}

/** How much is still to be sent, of all processes: crossings that have not been fanned out, and deliveries, each up to `COUNTED_TO.waiting`. */
export async function alertBacklog(db: Queryable): Promise<{ crossings: number; deliveries: number }> {
  const { rows } = await db.execute<{ crossings: number; deliveries: number }>(sql`
    SELECT ${upTo(COUNTED_TO.waiting, sql`FROM alert_events WHERE delivery = 'waiting'`)} AS crossings,
      ${upTo(COUNTED_TO.waiting, sql`FROM push_deliveries WHERE outcome = 'waiting'`)} AS deliveries`)
  return rows[0]!
}
