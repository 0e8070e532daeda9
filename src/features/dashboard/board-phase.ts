import type { MetaRows } from '../../db/rows'
import type { BoardView } from '../../db/view'

export type BoardPhase =
  /** Nothing is known yet; skeletons stand in. */
  | { readonly kind: 'loading' }
  /** This device has never had an answer. `problem`: what the server said instead of one; null: it said nothing. */
  | { readonly kind: 'unreachable'; readonly problem: string | null }
  | { readonly kind: 'empty' }
  | { readonly kind: 'widgets'; readonly board: BoardView }

/** What the dashboard is in, from what the local database and the engine say. */
export function boardPhase(
  board: BoardView | undefined,
  sync: MetaRows['sync_state'] | undefined,
  online: boolean,
): BoardPhase {
  if (board !== undefined && board.widgets.length > 0) return { kind: 'widgets', board }
  if (board?.loaded === true) return { kind: 'empty' }
  const problem = sync?.problems.widgets ?? null
  // A guest's id is made in this browser, and so were all pairs of it: one that was never loaded has none.
  if (board?.account === 'guest' && problem === null) return { kind: 'empty' }
  const silent = !online || (sync?.unreachable_since ?? null) !== null
  return problem !== null || silent ? { kind: 'unreachable', problem } : { kind: 'loading' }
}
