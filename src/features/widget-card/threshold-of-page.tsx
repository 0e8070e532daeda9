import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import type { AlertSide } from '../../domain/alerts'
import { findWidget, type WidgetView } from '../../db/view'
import type { WidgetId } from '../../domain/ids'
import { boardAtom } from '../../state/live-data'
import { useAlertSwitch } from '../../state/use-command'
import { ThresholdDialog } from './threshold-dialog'

interface ThresholdOfPageProps {
  readonly widget: WidgetId
  readonly side: AlertSide
  readonly onClose: () => void
}

/** The threshold dialog that the page of a pair opens; it closes where the pair goes. */
export function ThresholdOfPage({ widget: id, side, onClose }: ThresholdOfPageProps) {
  const board = useAtomValue(boardAtom)
  const widget = board && findWidget(board, id)
  const isGone = board !== undefined && widget === undefined
  useEffect(() => {
    if (isGone) onClose()
  }, [isGone, onClose])
  return widget === undefined ? null : <Open widget={widget} side={side} onClose={onClose} />
}

function Open({ widget, side, onClose }: Omit<ThresholdOfPageProps, 'widget'> & { readonly widget: WidgetView }) {
  const { switchAlerts } = useAlertSwitch(widget)
  return <ThresholdDialog widget={widget} side={side} onClose={onClose} onSwitchOn={() => switchAlerts(true)} />
}
