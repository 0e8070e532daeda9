import { findWidget, type BoardView, type WidgetView } from '../../db/view'
import type { WidgetId } from '../../domain/ids'

export type ChartWidget =
  | { readonly kind: 'loading' }
  | { readonly kind: 'found'; readonly widget: WidgetView }
  /** Removed, or an address that never led anywhere. */
  | { readonly kind: 'gone' }

/** The widget an address names, by the id it has now or the temporary one it was made with. */
export function chartWidget(board: BoardView | undefined, id: WidgetId): ChartWidget {
  if (board === undefined) return { kind: 'loading' }
  const widget = findWidget(board, id)
  if (widget !== undefined) return { kind: 'found', widget }
  return { kind: board.loaded ? 'gone' : 'loading' }
}
