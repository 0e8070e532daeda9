import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { type ComponentType, useCallback, useMemo, useState } from 'react'
import type { CommandContext, CommandResult } from '../../db/command'
import type { BoardView, WidgetView } from '../../db/view'
import { messageOf } from '../../domain/error-message'
import { pairTitle } from '../../domain/pair'
import { cardFocusAtom, type CardSlot, type ListSlot, MOVE_HELP_ID } from '../../state/card-slot'
import { dashboardChoiceAtom, hasListAtom } from '../../state/dashboard-choice'
import { type OptimisticPatch, useOptimisticPatch, visibleBoardAtom } from '../../state/optimistic-patches'
import { useServices } from '../../state/services'
import { reportMissingChunkAtom, showToastAtom } from '../../state/toasts'
import { createDragRegistry } from '../../ui/drag-registry'
import { deferredComponent } from '../../ui/deferred-component'
import { MOVE_HELP, moved, movedTo } from '../../ui/move-menu'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { inactiveNotices } from './inactive-reason'
import { WidgetSection } from './widget-section'
import styles from './widget-section.module.css'

interface WidgetBoardProps extends Pick<CardSlot, 'onOpenChart'> {
  readonly onCards?: (() => void) | undefined
  readonly board: BoardView
  readonly Card: ComponentType<CardSlot>
  readonly List: ComponentType<ListSlot & { readonly onMissing: () => void }>
}

const BoardTools = deferredComponent(async () => (await import('./board-tools')).BoardTools)

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
  const missing = useSetAtom(reportMissingChunkAtom)
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

const keyOf = (widget: WidgetView) => widget.key

/** Moving and removing cards, by commands whose code is fetched when it is first needed; both show at once. */
function useBoardActions() {
  const { commands, engine } = useServices()
  const store = useStore()
  const showPatch = useOptimisticPatch()
  const setCardFocus = useSetAtom(cardFocusAtom)
  const showToast = useSetAtom(showToastAtom)
  const [message, setMessage] = useState('')

  const run = useCallback(
    async (
      what: OptimisticPatch,
      command: (context: CommandContext) => Promise<CommandResult>,
      said: string,
      describe: (error: unknown) => string,
    ) => {
      const refuse = (text: string) => showToast({ type: 'error', message: text })
      try {
        const result = await showPatch(what, () => command(commands))
        if (!result.ok) return refuse(result.message)
        setMessage(said)
        engine.requestSync('command')
      } catch (error) {
        // The local database itself failed, such as with a full disk, or the command's code could not be had.
        reportError(error)
        refuse(describe(error))
      }
    },
    [commands, engine, showToast, showPatch],
  )

  // The callbacks stay the same for as long as the cards live; what they work on is looked up when they are called.
  const onMove = useCallback(
    (key: string, to: number) => {
      const current = store.get(visibleBoardAtom)?.widgets ?? []
      const widget = current.find((candidate) => candidate.key === key)
      if (widget === undefined) return
      const section = current.filter((candidate) => candidate.isActive === widget.isActive)
      const others = current.filter((candidate) => candidate.isActive !== widget.isActive)
      const reordered = moved(section, section.indexOf(widget), to)
      const order = widget.isActive ? [...reordered, ...others] : [...others, ...reordered]
      const ids = order.map(({ id }) => id)
      const reorder = async (context: CommandContext) =>
        (await import('../../db/commands/reorder-widgets')).reorderWidgets(context, ids)
      const said = movedTo(pairTitle(widget), to, section.length)
      void run({ kind: 'order', keys: order.map(keyOf) }, reorder, said, () => 'Error: Could not save your new layout.')
    },
    [run, store],
  )

  const onRemove = useCallback(
    (key: string) => {
      const current = store.get(visibleBoardAtom)?.widgets ?? []
      const index = current.findIndex((candidate) => candidate.key === key)
      const widget = current[index]
      if (widget === undefined) return
      const name = pairTitle(widget)
      const neighbour = current[index + 1] ?? current[index - 1]
      setCardFocus(neighbour?.key ?? null)
      const remove = async (context: CommandContext) =>
        (await import('../../db/commands/remove-widget')).removeWidget(context, widget.id)
      void run({ kind: 'hide', key }, remove, `${name} removed.`, (error) => {
        return `Failed to remove ${name}: ${messageOf(error)}.`
      })
    },
    [run, setCardFocus, store],
  )

  return { message, onMove, onRemove }
}
