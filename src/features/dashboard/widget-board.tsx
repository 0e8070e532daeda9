import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo, useState, type ComponentType } from 'react'
import type { BoardView } from '../../db/view'
import { MOVE_HELP_ID, type CardSlot, type ListSlot } from '../../state/card-slot'
import { dashboardChoiceAtom, hasListAtom } from '../../state/dashboard-choice'
import { partMissingAtom } from '../../state/toasts'
import { createDragRegistry } from '../../ui/drag-registry'
import { lastingPart } from '../../ui/lasting-part'
import { MOVE_HELP } from '../../ui/move-words'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { inactiveNotices } from './inactive-reason'
import { useBoardActions } from './use-board-actions'
import { WidgetSection } from './widget-section'
import styles from './widget-section.module.css'

interface WidgetBoardProps extends Pick<CardSlot, 'onOpenChart'> {
  readonly onCards?: (() => void) | undefined
  readonly board: BoardView
  readonly Card: ComponentType<CardSlot>
  readonly List: ComponentType<ListSlot & { readonly onMissing: () => void }>
}

const BoardTools = lastingPart(async () => (await import('./board-tools')).BoardTools)

/** Both sections of cards, and what can be done to their order. */
export function WidgetBoard({ board, Card, List, onOpenChart, onCards }: WidgetBoardProps) {
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
  const setChoice = useSetAtom(dashboardChoiceAtom)
  const missing = useSetAtom(partMissingAtom)
  const slot = { onOpenChart, onMove, onRemove }
  const common = { ...slot, active: active.length, registry, Card }
  // Cards stand in for a list whose code cannot be had.
  const list = useAtomValue(hasListAtom) && (
    <List
      {...slot}
      widgets={active}
      onMissing={() => missing(() => setChoice((known) => known && { ...known, view: 'cards' }))}
    />
  )
  return (
    <>
      <p id={MOVE_HELP_ID} hidden>
        {MOVE_HELP}
      </p>
      <VisuallyHidden role="status">{message}</VisuallyHidden>
      <div className={styles.tools}>
        <BoardTools onCards={onCards} />
      </div>
      <WidgetSection {...common} title="Active Widgets" widgets={active} inactive={null} list={list} />
      {rest.length > 0 && <WidgetSection {...common} title="Inactive Widgets" widgets={rest} inactive={inactive} />}
    </>
  )
}
