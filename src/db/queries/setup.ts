import type { SetupPair } from '../../domain/setup-file'
import type { OptimisticWidget } from '../board'
import type { LocalDatabase } from '../database'
import { readSnapshot, snapshotTables } from '../snapshot'

/** The pairs of whoever uses the app, as the screen shows them, changes that wait included. */
export async function readSetupPairs(db: LocalDatabase): Promise<readonly SetupPair[]> {
  return db.transaction('r', snapshotTables(db), async () => {
    const snapshot = await readSnapshot(db)
    return (snapshot?.shown ?? []).map(setupPairOf)
  })
}

const setupPairOf = (widget: OptimisticWidget): SetupPair => ({
  base: widget.coin_a_id,
  quote: widget.coin_b_id,
  high: widget.high_threshold,
  low: widget.low_threshold,
  high_armed: widget.high_threshold_active,
  low_armed: widget.low_threshold_active,
  alerts: widget.notifications_enabled,
  checkpoints: widget.checkpoints.map(({ ratio, timestamp, is_default }) => ({
    ratio,
    saved_at: new Date(timestamp).toISOString(),
    is_default,
  })),
})
