import { and, eq, isNull, sql } from 'drizzle-orm'
import { HOUR, MINUTE } from '../../../src/domain/granularity'
import { push_subscriptions } from '../../db/schema/alerts'
import type { JobsDeps, PeriodicJob } from '../../jobs/periodic'
import { noteWay } from '../alerts/note-way'
import { requestMail } from '../mail/queued-mail'
import { SHOWN_WITHIN, SILENT_AFTER } from './receipts'

/** How far back a look reaches for sends after which a browser may be silent: many looks that nobody made. Milliseconds. */
const LOOKED_BACK = 6 * HOUR

/* Browsers of accounts: a guest has no other one. Of those that were sent something lately, by the index of ended deliveries. */
const silentBrowsers = (now: number) => sql<{ id: string }>`
SELECT s.id, s.owner_id, l.device_label, u.email, u.email_verified_at IS NOT NULL AS verified
FROM push_subscriptions s JOIN sessions l ON l.id = s.session_id JOIN users u ON u.id = s.owner_id
WHERE s.id IN (SELECT subscription_id FROM push_deliveries WHERE ended_at > ${new Date(now - LOOKED_BACK)})
  AND s.receipt_hash IS NOT NULL AND s.refused_at IS NULL AND s.silence_told_at IS NULL AND (
    SELECT count(*) FROM push_deliveries d WHERE d.subscription_id = s.id AND d.outcome = 'sent' AND d.ended_at > s.shown_at
      AND d.ended_at < ${new Date(now - SHOWN_WITHIN)}) >= ${SILENT_AFTER}`

interface SilentBrowser {
  readonly id: string
  readonly owner_id: string
  readonly device_label: string | null
  readonly email: string
  readonly verified: boolean
}

type Deps = Pick<JobsDeps, 'database' | 'clock'>

/** Tells owners of browsers that no longer show alerts, once until they show one: by their other ways, and by mail. */
async function tellOfSilentDevices({ database, clock }: Deps): Promise<void> {
  const now = clock()
  const { rows } = await database.orm.execute(silentBrowsers(now))
  for (const { id, owner_id: owner, device_label: name, email, verified } of rows as unknown as SilentBrowser[]) {
    const changes = await database.orm.transaction(async (tx) => {
      const untold = and(eq(push_subscriptions.id, id), isNull(push_subscriptions.silence_told_at))
      const told = await tx
        .update(push_subscriptions)
        .set({ silence_told_at: new Date(now) })
        .where(untold)
        .returning({ id: push_subscriptions.id })
      if (told.length === 0) return []
      const noted = await noteWay(tx, { owner, kind: 'device_silent', way: id, name }, now)
      if (verified) await requestMail(tx, { kind: 'device-silent', email, device: name }, now)
      return noted
    })
    database.changes.publish(changes)
  }
}

export const silentDevicesJob = (deps: Deps): PeriodicJob => ({
  name: 'silent-devices',
  every: 5 * MINUTE,
  run: () => tellOfSilentDevices(deps),
})
