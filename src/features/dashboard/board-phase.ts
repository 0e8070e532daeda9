import type { BoardView } from '../../db/view'
import type { MetaRows } from '../../db/rows'

export type BoardPhase =
  /** Nothing is known yet; skeletons stand in. */
  | 'loading'
  /** This device has never had an answer, and the last try failed. */
  | 'unreachable'
  | 'empty'
  | 'widgets'

/** What the dashboard is in, from what the local database and the engine say. */
export function boardPhase(
  board: BoardView | undefined,
  sync: MetaRows['sync_state'] | undefined,
  online: boolean,
): BoardPhase {
  if (board !== undefined && board.widgets.length > 0) return 'widgets'
  if (board?.loaded === true) return 'empty'
  const failed = sync?.last_failure_at != null && sync.last_failure_at > (sync.last_success_at ?? 0)
  return failed || !online ? 'unreachable' : 'loading'
}
