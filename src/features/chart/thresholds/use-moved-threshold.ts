import { useSetAtom } from 'jotai'
import { useMemo, useState } from 'react'
import type { WidgetView } from '../../../db/view'
import { type AlertSide, SIDE_LOOKS, type Thresholds, thresholdsOf } from '../../../domain/alerts'
import { formatRatio } from '../../../domain/format-number'
import { pairLabel } from '../../../domain/pair'
import { startsArmed } from '../../../domain/threshold-entry'
import { usePairRatio } from '../../../state/live-data'
import { showToastAtom } from '../../../state/toasts'
import { useAlertSwitch, useUpdateWidget } from '../../../state/use-command'

/** A threshold that the user has moved: nothing of it is stored yet. */
interface MovedThreshold {
  readonly side: AlertSide
  readonly value: number
  /** The user has let go of it, and its command is on the way. */
  readonly isKept?: boolean
}

export interface ThresholdMoves {
  readonly widget: WidgetView
  /** Null: none is being moved. */
  readonly moved: MovedThreshold | null
  /** The thresholds as shown: the moved one where it is. */
  readonly thresholds: Thresholds
  readonly move: (moved: MovedThreshold) => void
  readonly cancel: () => void
  /** Ends this move; one that the user has begun since goes on. */
  readonly end: (moved: MovedThreshold) => void
}

const NO_THRESHOLDS: Thresholds = { high: null, low: null }

/** Moves of a widget's thresholds on its chart; null: there is no widget. */
export function useMovedThreshold(widget: WidgetView | null): ThresholdMoves | null {
  const [moved, setMoved] = useState<MovedThreshold | null>(null)
  const alerts = widget?.alerts
  const thresholds = useMemo(
    () => ({
      ...(alerts ? thresholdsOf(alerts) : NO_THRESHOLDS),
      ...(moved !== null && { [moved.side]: moved.value }),
    }),
    [alerts, moved],
  )
  if (widget === null) return null
  const end = (ended: MovedThreshold) => setMoved((current) => (current === ended ? null : current))
  return { widget, moved, thresholds, move: setMoved, cancel: () => setMoved(null), end }
}

/**
 * Returns the function that stores the moved threshold; a toast offers to undo it. The line stays where the user has left
 * it, as not stored, until the board has its change: what is shown as set outlives a reload.
 */
export function useKeepThreshold({ widget, moved, move, end }: ThresholdMoves): () => void {
  const ratio = usePairRatio(widget.coinA.id, widget.coinB.id)
  const update = useUpdateWidget(widget)
  const { switchAlerts } = useAlertSwitch(widget)
  const showToast = useSetAtom(showToastAtom)
  const { alerts } = widget

  const keep = async ({ side, value }: MovedThreshold) => {
    const { threshold, armed } = alerts[side]
    if (value === threshold) return
    const armedNow = startsArmed(side, value, ratio)
    if (!(await update({ alerts: { [side]: { threshold: value, armed: armedNow } } }))) return
    const undo = () => {
      const expected: Thresholds = { ...thresholdsOf(alerts), [side]: value }
      void update({ alerts: { [side]: { threshold, armed } } }, { expected })
    }
    const pair = pairLabel(widget.coinA.symbol, widget.coinB.symbol)
    const waits = armedNow ? '' : ' The ratio is beyond it: it is armed once the ratio has come back.'
    showToast({
      kind: 'success',
      message: `${SIDE_LOOKS[side].name} alert of ${pair} set to ${formatRatio(value)}.${waits}`,
      action: { label: 'Undo', run: undo },
      ...(!widget.notificationsEnabled && {
        secondAction: { label: 'Switch alerts on', run: () => switchAlerts(true) },
      }),
    })
  }

  return () => {
    if (moved === null || moved.isKept) return
    const kept = { ...moved, isKept: true }
    move(kept)
    void keep(kept).finally(() => end(kept))
  }
}
