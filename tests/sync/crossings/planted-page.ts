import { liveQuery } from 'dexie'
import { readBoard, snapshotTables } from '../../../src/db/board-rows'
import { claimAlert } from '../../../src/db/commands/alerts'
import { isListOutdated } from '../../../src/db/held-revisions'
import { readOwnerSyncState } from '../../../src/db/owner-sync-state'
import { alertEventId, isFreshForAlerts, judge } from '../../../src/domain/alerts'
import { pairTitle, ratioOf } from '../../../src/domain/pair'
import type { PageAlerts } from './device'

interface Faults {
  /** It judges widgets with changes that the server has not answered. */
  readonly unanswered: boolean
  /** It judges a list that was not pulled since the device came back. */
  readonly unconfirmed: boolean
}

/** A page that judges our server's prices by itself, as one once did, at each change of what it knows. */
export const judgingPage =
  ({ unanswered, unconfirmed }: Faults): PageAlerts =>
  (_store, { db, now }) => {
    const readFacts = () =>
      db.transaction('r', [...snapshotTables(db), db.prices], async () => {
        const [board, prices] = [await readBoard(db), await db.prices.get('usd')]
        if (board === undefined || prices === undefined) return null
        const state = await readOwnerSyncState(db, board.owner)
        const isConfirmed = state.pulled_at !== null && !state.needs_pull && !isListOutdated(state)
        return isConfirmed || unconfirmed ? { board, prices } : null
      })
    liveQuery(readFacts).subscribe((facts) => {
      const at = now()
      for (const widget of facts?.board.widgets ?? []) {
        if (!widget.notificationsEnabled || (widget.waiting > 0 && !unanswered)) continue
        const { id, coinA, coinB, rules } = widget
        const [a, b] = [coinA, coinB].map((coin) => facts!.prices.prices[coin.id])
        if (a === undefined || b === undefined || !isFreshForAlerts(a.provider_time, at)) continue
        const ratio = ratioOf(a.usd, b.usd)!
        for (const rule of rules) {
          if (judge(rule, ratio, { armed: rule.armed, dueAt: null }, at).verdict !== 'fired') continue
          void claimAlert(db, {
            event_id: alertEventId(rule.id, rule.epoch),
            owner: facts!.board.owner,
            widget_id: id,
            coin_a_id: coinA.id,
            coin_b_id: coinB.id,
            pair: pairTitle(widget),
            side: rule.side,
            ratio,
            threshold: rule.level,
            at,
            by: 'app',
            toasted: false,
            seen_at: null,
            rearm_later: false,
          })
        }
      }
    })
  }
