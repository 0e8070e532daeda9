import { count } from 'drizzle-orm'
import type { Overview } from '../../../../src/contract/admin'
import type { Queryable } from '../../../db/open'
import { billing_removals } from '../../../db/schema/billing'
import { mail_requests } from '../../../db/schema/mail'
import { unwellJobs } from '../../../jobs/unwell-jobs'
import { alertBacklog } from '../../push/backlog'

/**
 * What waits to be done, by whichever process.
 * @param now milliseconds since 1970
 */
export async function queueFigures(db: Queryable, now: number): Promise<Overview['queues']> {
  const [mails] = await db.select({ waiting: count() }).from(mail_requests)
  const [removals] = await db.select({ waiting: count() }).from(billing_removals)
  const { late, failing } = await unwellJobs(db, now)
  return {
    ...(await alertBacklog(db)),
    mails: mails?.waiting ?? 0,
    billing_removals: removals?.waiting ?? 0,
    late_jobs: late,
    failing_jobs: failing,
  }
}
