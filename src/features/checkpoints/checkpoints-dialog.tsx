import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { findWidget } from '../../db/view'
import type { WidgetId } from '../../domain/ids'
import { LISTS_NEED_PREMIUM } from '../../domain/pair'
import { showToastAtom } from '../../state/toasts'
import { visibleBoardAtom } from '../../state/optimistic-patches'
import { explainRemoval } from '../../state/explain-removal'
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
  const board = useAtomValue(visibleBoardAtom)
  const showToast = useSetAtom(showToastAtom)
  const widget = board && findWidget(board, widgetId)
  const manageable = board?.account === 'premium' && widget?.isActive === true && !widget.isPending
  const over = board !== undefined && !manageable
  const needsPremium = board?.account === 'premium' ? null : `${LISTS_NEED_PREMIUM}.`
  const why = board === undefined ? null : (explainRemoval(board, widgetId) ?? needsPremium)

  useEffect(() => {
    if (!over) return
    if (why !== null) showToast({ kind: 'info', message: why })
    onClose()
  }, [over, why, onClose, showToast])

  if (board === undefined || widget === undefined || !manageable) return null
  return <CheckpointsPanel key={widget.key} widget={widget} ids={board.ids} limits={board.limits} onClose={onClose} />
}
