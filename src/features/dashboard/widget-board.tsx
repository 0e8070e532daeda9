import { useMemo, useState, type ComponentType } from 'react'
import type { BoardView } from '../../db/view'
import { MOVE_HELP_ID, type CardSlot } from '../../state/card-slot'
import { createDragRegistry } from '../../ui/drag-registry'
import { MOVE_HELP } from '../../ui/move-words'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { inactiveNotices } from './inactive-reason'
import { useBoardActions } from './use-board-actions'
import { WidgetSection } from './widget-section'

interface WidgetBoardProps extends Pick<CardSlot, 'onOpenChart'> {
  readonly board: BoardView
  readonly Card: ComponentType<CardSlot>
}

/** Both sections of cards, and what can be done to their order. */
export function WidgetBoard({ board, Card, onOpenChart }: WidgetBoardProps) {
  const [registry] = useState(createDragRegistry)
  const { message, onMove, onRemove } = useBoardActions()
  const active = board.widgets.filter((widget) => widget.isActive)
  const rest = board.widgets.filter((widget) => !widget.isActive)
  const { account } = board
  const { max_widgets: max } = board.limits
  const inactive = useMemo(
    () => inactiveNotices({ account, active: active.length, max }),
    [account, active.length, max],
  )
  const common = { active: active.length, registry, Card, onOpenChart, onMove, onRemove }
  return (
    <>
      <p id={MOVE_HELP_ID} hidden>
        {MOVE_HELP}
      </p>
      <VisuallyHidden role="status">{message}</VisuallyHidden>
      <WidgetSection {...common} title="Active Widgets" widgets={active} inactive={null} />
      {rest.length > 0 && <WidgetSection {...common} title="Inactive Widgets" widgets={rest} inactive={inactive} />}
    </>
  )
}
