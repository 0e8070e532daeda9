import { changeOwnerSyncState, readOwnerSyncState } from '../db/owner-sync-state'
import type { Price, WidgetRow } from '../db/rows'
import { rulesOf } from '../db/view'
import { writeTransaction } from '../db/write-transaction'
import { isFreshForAlerts, judge } from '../domain/alerts'
import type { CoinId } from '../domain/ids'
import { ratioOf } from '../domain/pair'
import type { EngineEnv } from './env'

/**
 * Our server has judged the prices of a poll before it served them: beyond an armed threshold of the list here, or back from
 * a disarmed one, they show that its list is another by now, perhaps with a crossing. The pull then need not wait for its
 * turn. A stream says so itself.
 */
export async function pullWhereCrossed({ db, now }: Pick<EngineEnv, 'db' | 'now'>): Promise<void> {
  await writeTransaction(db, [db.session, db.owners, db.widgets, db.prices], async () => {
    const [session, row] = await Promise.all([db.session.get('current'), db.prices.get('usd')])
    if (session === undefined || row === undefined) return
    const { owner } = session
    const widgets = await db.widgets.where('owner').equals(owner).toArray()
    if (!widgets.some((widget) => isJudgedOtherwise(widget, row.prices, now()))) return
    if (!(await readOwnerSyncState(db, owner)).needs_pull) await changeOwnerSyncState(db, owner, { needs_pull: true })
  })
}

/** True if a server that has judged these prices must have other flags than the row has. */
function isJudgedOtherwise(row: WidgetRow, prices: Readonly<Record<CoinId, Price>>, now: number): boolean {
  if (!row.is_active || !row.notifications_enabled) return false
  const [a, b] = [prices[row.coin_a_id], prices[row.coin_b_id]]
  if (a === undefined || b === undefined) return false
  if (![a, b].every((price) => isFreshForAlerts(price.provider_time, now))) return false
  const ratio = ratioOf(a.usd, b.usd)
  return rulesOf(row).some((rule) => {
    const { verdict } = judge(rule, ratio, { armed: rule.armed, dueAt: null }, now)
    return verdict === 'fired' || verdict === 'back'
  })
}
