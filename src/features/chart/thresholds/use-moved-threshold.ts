import { useSetAtom } from 'jotai'
import { useMemo, useState } from 'react'
import type { WidgetView } from '../../../db/view'
import { type AlertSide, SIDE_NAMES, type Thresholds, thresholdsOf } from '../../../domain/alerts'
import { formatRatio } from '../../../domain/format-number'
import { pairLabel } from '../../../domain/pair'
import { startsArmed } from '../../../domain/threshold-entry'
import { usePairRatio } from '../../../state/live-data'
import { showToastAtom } from '../../../state/toasts'
import { fieldMutation, useAlertSwitch, useWidgetMutation } from '../../../state/use-widget-mutation'

/** A threshold that the user holds: nothing of it is stored. */
interface MovedThreshold {
  readonly side: AlertSide
  readonly value: number
}

export interface ThresholdMoves {
  readonly widget: WidgetView
  /** Null: none is being moved. */
  readonly moved: MovedThreshold | null
  /** The thresholds as shown: the moved one where it is. */
  readonly thresholds: Thresholds
  readonly move: (moved: MovedThreshold) => void
  readonly cancel: () => void
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
  return widget === null ? null : { widget, moved, thresholds, move: setMoved, cancel: () => setMoved(null) }
}

/** Returns the function that stores the moved threshold; a toast offers to undo it. */
export function useKeepThreshold({ widget, moved, cancel }: ThresholdMoves): () => void {
  const ratio = usePairRatio(widget.coinA.id, widget.coinB.id)
  const mutate = useWidgetMutation(widget)
  const switchAlerts = useAlertSwitch(widget)
  const showToast = useSetAtom(showToastAtom)
  const { alerts } = widget

  const keep = async ({ side, value }: MovedThreshold) => {
    const { threshold, armed } = alerts[side]
    if (value === threshold) return
    const armedNow = startsArmed(side, value, ratio)
    if (!(await mutate(fieldMutation(widget, { alerts: { [side]: { threshold: value, armed: armedNow } } })))) return
    const undo = () => {
      const expected: Thresholds = { ...thresholdsOf(alerts), [side]: value }
      void mutate(fieldMutation(widget, { alerts: { [side]: { threshold, armed } } }, expected))
    }
    const pair = pairLabel(widget.coinA.symbol, widget.coinB.symbol)
    const waits = armedNow ? '' : ' The ratio is beyond it: it is armed once the ratio has come back.'
    showToast({
      kind: 'success',
      message: `${SIDE_NAMES[side]} alert of ${pair} set to ${formatRatio(value)}.${waits}`,
      action: { label: 'Undo', run: undo },
      ...(!widget.notificationsEnabled && {
        secondAction: { label: 'Switch alerts on', run: () => switchAlerts(true) },
      }),
    })
  }

  return () => {
    cancel()
    if (moved !== null) void keep(moved)
  }
}
