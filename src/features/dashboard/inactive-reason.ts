import type { BoardView } from '../../db/view'

/** Why the board's inactive widgets show no figures. */
export function inactiveReason(board: BoardView): { readonly title: string; readonly reason: string } {
  const active = board.widgets.filter((widget) => widget.isActive).length
  const { max_widgets: max } = board.limits
  if (active < max) return { title: 'Inactive', reason: 'This pair will be tracked again after the next update.' }
  return {
    title: 'Limit Reached',
    reason: `Your tier tracks ${max === 1 ? '1 pair' : `${max} pairs`}. Remove an active pair to track this one.`,
  }
}
