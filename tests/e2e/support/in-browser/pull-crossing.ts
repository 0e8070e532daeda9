import { acceptAlerts } from '../../../../src/db/answers/accept-alerts'
import { LocalDatabase } from '../../../../src/db/database'
import { alertEventId, ruleOf } from '../../../../src/domain/alerts'

/* Runs in the app's own service worker, where the engine stores the crossings that it pulls, with the engine's own function. */
const db = new LocalDatabase()

/** The high threshold of the first pair whose alerts are on was crossed just now. Resolves when the crossing is stored. */
async function pullCrossing(pair: string): Promise<void> {
  const [session, widgets] = await Promise.all([db.session.get('current'), db.widgets.toArray()])
  const widget = widgets.find((one) => one.notifications_enabled && one.high_threshold !== null)
  if (session === undefined || widget === undefined) throw new Error('No pair is watched.')
  const { id, coin_a_id, coin_b_id, high_epoch: epoch, high_threshold: threshold } = widget
  const now = Date.now()
  const at = new Date(now).toISOString()
  const names = { event_id: alertEventId(ruleOf(id, 'high'), epoch), widget_id: id, coin_a_id, coin_b_id, pair }
  const crossing = { ...names, side: 'high', epoch, ratio: threshold! * 1.1, threshold: threshold! } as const
  const answer = { as_of: at, alerts: [{ ...crossing, crossed_at: at, back_at: null }] }
  await acceptAlerts(db, session.owner, answer, now)
}

Object.assign(globalThis, { pullCrossing })
