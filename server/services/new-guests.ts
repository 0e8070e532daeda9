import { and, gt, inArray } from 'drizzle-orm'
import { Gauge, type Registry } from 'prom-client'
import { DAY, HOUR } from '../../src/domain/granularity'
import { blocksOf, requestOrigin } from '../http/addresses'
import type { Database, Queryable } from '../db/open'
import { address_counts } from '../db/schema/sessions'
import type { Env } from '../env'
import { countInEach, countKey, EVERYBODY, limitsOfNetwork } from './address-limits'
import { type Rate, scaled } from './attempts'
import { readFigure } from './read-figure'
import type { ServiceDeps } from './service-deps'

const KIND = 'new-guest'

/**
 * Guests that one /24 of IPv4 or one /64 may make: those of an office, a school or a mobile operator, who come to keep
 * something for the first time. Wider networks of IPv6 have a multiple.
 */
const BY_BLOCK: readonly Rate[] = [
  { most: 300, within: HOUR },
  { most: 1_000, within: DAY },
]
/** Guests that all together may make: some 100 MB a day. */
const BY_ALL: readonly Rate[] = [
  { most: 20_000, within: HOUR },
  { most: 100_000, within: DAY },
]

/**
 * Counts a guest who is just being stored, in the transaction that does so: a change that is refused makes none.
 * @throws TooManyAttempts; the guest's browser keeps the change, and sends it again
 */
export async function countNewGuest(tx: Queryable, env: Pick<Env, 'RATE_LIMIT_FACTOR'>, now: number): Promise<void> {
  const address = requestOrigin()?.address
  const blocks = address === undefined ? [] : blocksOf(address)
  await countInEach(
    tx,
    [
      ...blocks.flatMap((block) => limitsOfNetwork(env, KIND, block, BY_BLOCK, now)),
      ...limitsOfNetwork(env, KIND, { network: EVERYBODY, times: 1 }, BY_ALL, now),
    ],
    now,
  )
}

/** Shows in /metrics how many guests all processes have made in the running periods, and how many they may. */
export function guestMetrics(
  registry: Registry,
  { orm }: Pick<Database, 'orm'>,
  env: Pick<Env, 'RATE_LIMIT_FACTOR'>,
  clock: () => number,
  logger?: ServiceDeps['logger'],
): void {
  const periods = BY_ALL.map(({ most, within }) => ({
    key: countKey(KIND, EVERYBODY, within),
    most: scaled(most, env),
    within: within === HOUR ? 'hour' : 'day',
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
    help: 'Guests that may be stored in an hour and a day; beyond that new ones wait in their browsers',
    labelNames: ['within'],
    registers: [registry],
  })
  for (const period of periods) most.set({ within: period.within }, period.most)
}
