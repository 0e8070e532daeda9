import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { type Concern, concerns, type ServerFigures } from '../../../src/domain/concerns'
import { HOUR, MINUTE } from '../../../src/domain/granularity'
import { operator_notice } from '../../db/schema/jobs'
import { users } from '../../db/schema/users'
import type { PeriodicJob } from '../../jobs/periodic'
import { requestMail } from '../mail/queued-mail'
import { heldRemoval } from '../removal-job'
import type { ServiceDeps } from '../service-deps'
import { pricedFigures, queueFigures, readStorage } from './overview'
import type { MarketSource } from '../../../src/contract/market'

type TellingDeps = Pick<ServiceDeps, 'database' | 'env' | 'clock' | 'logger'> & {
  readonly market: { readonly source: MarketSource }
}

/** Milliseconds. */
const LOOK_INTERVAL = 2 * MINUTE
const MAIL_SPACING = HOUR

/**
 * Tells superusers by mail when the set of concerns has changed: after two looks in a row, and once an hour at most. A number
 * in a sentence may change without a mail. While no mail goes out, the log has it.
 */
export const tellOperatorsJob = (deps: TellingDeps): PeriodicJob => ({
  name: 'tell-operators',
  every: LOOK_INTERVAL,
  run: () => tellOperators(deps),
})

async function tellOperators(deps: TellingDeps): Promise<void> {
  const found = concerns(await figuresOf(deps))
  const kinds = found.map(({ kind }) => kind).toSorted()
  const { database, clock, logger } = deps
  await database.orm.transaction(async (tx) => {
    const now = clock()
    await tx.insert(operator_notice).values({ name: 'concerns' }).onConflictDoNothing()
    const [notice] = await tx.select().from(operator_notice).for('no key update')
    if (notice === undefined) throw new Error('The notice to operators vanished within a transaction')
    const same = (those: readonly string[]) => those.join('\n') === kinds.join('\n')
    const mailedAt = notice.told_at?.getTime() ?? -Infinity
    // A mail of the future was sent while the clock was wrong.
    const isSpaced = now - mailedAt >= MAIL_SPACING || mailedAt > now
    const isToBeMailed = same(notice.seen) && !same(notice.told) && isSpaced
    await tx.update(operator_notice).set({ seen: kinds, ...(isToBeMailed && { told: kinds, told_at: new Date(now) }) })
    if (!isToBeMailed) return
    const sentences = found.map(({ sentence }: Concern) => sentence)
    if (found.length === 0) logger?.info('operators are told that all is well again')
    else logger?.error({ concerns: sentences }, 'operators are told of concerns')
    const superusers = and(
      eq(users.is_superuser, true),
      eq(users.is_active, true),
      isNotNull(users.email_verified_at),
      isNull(users.deletion_scheduled_at),
    )
    for (const { email } of await tx.select({ email: users.email }).from(users).where(superusers))
      await requestMail(tx, { kind: 'operators', email, concerns: sentences }, now)
  })
}

/** Those of the overview that may give concern, which cost no look at all of a table. */
async function figuresOf({ database, env, market, clock }: TellingDeps): Promise<ServerFigures> {
  const { orm, pool } = database
  const now = clock()
  return {
    at: new Date(now).toISOString(),
    market: await pricedFigures(pool, env, market.source, now),
    queues: await queueFigures(orm, now),
    storage: await readStorage(database, env),
    retention: await heldRemoval(orm),
  }
}
