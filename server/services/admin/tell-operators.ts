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
 * Tells superusers by mail of each kind of concern that two looks in a row have found, and when it is in neither of two: one that
 * comes and goes hides no other. Once an hour at most; a number in a sentence may change without a mail. While no mail goes
 * out, the log has it.
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
    const inEither = new Set([...kinds, ...notice.seen])
    const lasting = [...inEither].filter(
      (kind) => notice.told.includes(kind) || (kinds.includes(kind) && notice.seen.includes(kind)),
    )
    const isOther = lasting.toSorted().join('\n') !== notice.told.join('\n')
    const sentences = found.filter(({ kind }) => lasting.includes(kind)).map(({ sentence }: Concern) => sentence)
    const isSaid = sentences.length > 0 || lasting.length === 0
    const mailedAt = notice.told_at?.getTime() ?? -Infinity
    // A mail of the future was sent while the clock was wrong.
    const isSpaced = now - mailedAt >= MAIL_SPACING || mailedAt > now
    const isToBeMailed = isOther && isSaid && isSpaced
    const told = isToBeMailed && { told: lasting.toSorted(), told_at: new Date(now) }
    await tx.update(operator_notice).set({ seen: kinds, ...told })
    if (!isToBeMailed) return
    if (sentences.length === 0) logger?.info('operators are told that all is well again')
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
