import { and, gt, inArray } from 'drizzle-orm'
import { Gauge, type Registry } from 'prom-client'
import { HOUR } from '../../src/domain/granularity'
import type { Database } from '../db/open'
import { address_counts } from '../db/schema/sessions'
import type { Env } from '../env'
import { sharedCounters } from './address-limits'
import { readFigure } from './read-figure'
import type { ServiceDeps } from './service-deps'

/** Shows in /metrics how many guests all processes have made in the running periods, and how many they may. */
export function guestMetrics(
  registry: Registry,
  { orm }: Pick<Database, 'orm'>,
  env: Pick<Env, 'RATE_LIMIT_FACTOR'>,
  clock: () => number,
  logger?: ServiceDeps['logger'],
): void {
  const periods = sharedCounters(env, 'new-guest').map((counter) => ({
    ...counter,
    within: counter.within === HOUR ? 'hour' : 'day',
  }))
  const made = new Gauge({
    name: 'guests_made',
    help: 'Guests that were stored in the running hour and day, of all processes',
    labelNames: ['within'],
    registers: [registry],
    collect: async () => {
      const keys = periods.map(({ key }) => key)
      const running = and(inArray(address_counts.key, keys), gt(address_counts.ends_at, clock()))
      const rows = await readFigure('guests_made', orm.select().from(address_counts).where(running), logger)
      for (const { key, within } of periods) {
        made.set({ within }, rows === null ? NaN : (rows.find((row) => row.key === key)?.count ?? 0))
      }
    },
  })
  const most = new Gauge({
    name: 'guests_made_limit',
    help: 'Guests that may be stored in an hour and a day; beyond that, up to twice as many, each network gets one more',
    labelNames: ['within'],
    registers: [registry],
  })
  for (const period of periods) most.set({ within: period.within }, period.most)
}
