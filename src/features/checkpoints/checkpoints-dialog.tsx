import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { findWidget } from '../../db/view'
import type { WidgetId } from '../../domain/ids'
import { showToastAtom } from '../../state/toasts'
import { shownBoardAtom } from '../../state/wishes'
import { CheckpointsPanel } from './checkpoints-panel'

interface CheckpointsDialogProps {
  readonly widgetId: WidgetId
  readonly onClose: () => void
}

/**
 * "Manage Checkpoints" of one pair, for as long as they can be managed: it goes by itself when the pair goes, becomes
 * inactive or its owner has no premium any more.
 */
export function CheckpointsDialog({ widgetId, onClose }: CheckpointsDialogProps) {
  const board = useAtomValue(shownBoardAtom)
  const showToast = useSetAtom(showToastAtom)
  const widget = board && findWidget(board, widgetId)
  const gone = board !== undefined && widget === undefined
  const manageable = board?.account === 'premium' && widget?.isActive === true && !widget.isPending
  const over = board !== undefined && !manageable

  useEffect(() => {
    if (!over) return
    if (gone) showToast({ type: 'info', message: 'This pair is no longer on your dashboard.' })
    onClose()
  }, [over, gone, onClose, showToast])

  if (board === undefined || widget === undefined || !manageable) return null
  return <CheckpointsPanel key={widget.key} widget={widget} ids={board.ids} limits={board.limits} onClose={onClose} />
}
