import { useSetAtom } from 'jotai'
import type { WidgetView } from '../../db/view'
import type { AlertSide } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-ratio'
import { pairTitle } from '../../domain/pair'
import { thresholdChange } from '../../state/threshold-change'
import { showToastAtom } from '../../state/toasts'
import { useChange } from '../../state/use-change'

/** Arms a side at a ratio, and says so: the button that was pressed is gone by then. */
export function useRearm(widget: WidgetView): (side: AlertSide, at: number) => Promise<void> {
  const run = useChange(widget)
  const showToast = useSetAtom(showToastAtom)
  return async (side, at) => {
    if (!(await run(thresholdChange(widget, side, at, true)))) return
    const name = side === 'high' ? 'High' : 'Low'
    showToast({ type: 'success', message: `${name} alert of ${pairTitle(widget)} armed at ${formatRatio(at)}.` })
  }
}
