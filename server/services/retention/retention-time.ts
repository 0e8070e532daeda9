import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/open'
import { retention_clock } from '../../db/schema/retention'
import { judgeClock } from './sound-time'

export interface RetentionParts {
  readonly database: Database
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
}

/**
 * Removes rows by their age, unless this process's clock is further ahead than the database can confirm. Every job that
 * removes by age goes through here.
 * @param remove is given the time to go by, milliseconds since 1970
 */
export async function removeByAge(parts: RetentionParts, remove: (now: number) => Promise<unknown>): Promise<void> {
  const time = await retentionTime(parts)
  if (time !== null) await remove(time)
}

async function retentionTime({ database, clock, logger }: RetentionParts): Promise<number | null> {
  return database.orm.transaction(async (tx) => {
    const now = clock()
    await tx
      .insert(retention_clock)
      .values({ name: 'retention', confirmed_at: new Date(now) })
      .onConflictDoNothing()
    const [row] = await tx.select().from(retention_clock).for('no key update')
    if (row === undefined) throw new Error('The record of the retention clock vanished within a transaction')
    const before = { confirmed: row.confirmed_at.getTime(), doubted: row.doubted_at?.getTime() ?? null }
    const { confirmed, doubted, time } = judgeClock(before, now)
    await tx.update(retention_clock).set({
      confirmed_at: new Date(confirmed),
      doubted_at: doubted === null ? null : new Date(doubted),
    })
    if (time === null && doubted !== before.doubted) {
      logger?.warn(
        { clock: new Date(now), confirmed: row.confirmed_at },
        'the clock is more than a day ahead of the latest time known: nothing is removed by its age until it is confirmed',
      )
    }
    return time
  })
}
