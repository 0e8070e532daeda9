import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { type ComponentType, type ReactNode, useCallback, useId, useMemo, useState } from 'react'
import type { CommandContext, CommandResult } from '../../db/command'
import type { BoardView, WidgetView } from '../../db/view'
import { messageOf } from '../../domain/error-message'
import { pairTitle } from '../../domain/pair'
import { cardFocusAtom, type CardSlot, type InactiveNotice, type ListSlot, MOVE_HELP_ID } from '../../state/card-slot'
import { dashboardChoiceAtom, hasListAtom } from '../../state/dashboard-choice'
import { type OptimisticPatch, useOptimisticPatch, visibleBoardAtom } from '../../state/optimistic-patches'
import { useServices } from '../../state/services'
import { reportMissingChunkAtom, showToastAtom } from '../../state/toasts'
import { createDragRegistry, type DragRegistry } from '../../ui/drag-registry'
import { deferredComponent } from '../../ui/deferred-component'
import { MOVE_HELP, moved, movedTo } from '../../ui/move-menu'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './widget-section.module.css'
import { SortingWhenLoaded } from '../../ui/sorting-when-loaded'
import { type InactivePlace as Place, inactiveReason } from '../../domain/tier-limits'

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
      const refuse = (text: string) => showToast({ kind: 'error', message: text })
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
        (await import('../../db/commands/widgets')).reorderWidgets(context, ids)
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
        (await import('../../db/commands/widgets')).removeWidget(context, widget.id)
      void run({ kind: 'hide', key }, remove, `${name} removed.`, (error) => {
        return `Failed to remove ${name}: ${messageOf(error)}.`
      })
    },
    [run, setCardFocus, store],
  )

  return { message, onMove, onRemove }
}

const InactiveHead = deferredComponent(async () => (await import('./inactive-head')).InactiveHead)

interface WidgetSectionProps extends Pick<CardSlot, 'onOpenChart' | 'onMove' | 'onRemove'> {
  readonly title: string
  readonly widgets: readonly WidgetView[]
  /** Null for the active section. */
  readonly inactive: InactiveNotices | null
  /** How many pairs are active. */
  readonly active: number
  readonly registry: DragRegistry
  readonly Card: ComponentType<CardSlot>
  /** Stands in place of the cards. */
  readonly list?: ReactNode
}

/** The cards of one kind, active or inactive. Order changes inside a section only. */
function WidgetSection({ title, widgets, inactive, active, registry, Card, list, ...slot }: WidgetSectionProps) {
  const headingId = useId()
  const nameOf = (key: string) => {
    const widget = widgets.find((candidate) => candidate.key === key)
    return widget === undefined ? 'Pair' : pairTitle(widget)
  }
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.title}>
        {title} <span className={styles.count}>{widgets.length}</span>
      </h2>
      {inactive && <InactiveHead notice={inactive.first} active={active} />}
      {widgets.length === 0 ? (
        // Only the active section is shown empty, beside inactive pairs: pairs have been added (decision 0127).
        <p className={styles.empty}>None of your widgets is active.</p>
      ) : list ? (
        // Of the rows' height until their code has come.
        <div style={{ minHeight: `${widgets.length * 4}rem` }}>{list}</div>
      ) : (
        <ul className={styles.grid}>
          {widgets.map((widget, index) => (
            <li key={widget.key} className={styles.slot} ref={registry.slotRef(widget.key)}>
              <Card
                widget={widget}
                index={index}
                count={widgets.length}
                inactive={inactive && (index === 0 ? inactive.first : inactive.rest)}
                drag={registry.start}
                {...slot}
              />
            </li>
          ))}
        </ul>
      )}
      {!list && widgets.length > 1 && (
        <SortingWhenLoaded
          keys={widgets.map((widget) => widget.key)}
          nameOf={nameOf}
          registry={registry}
          onMove={slot.onMove}
        />
      )}
    </section>
  )
}

/** Why widgets are inactive: the notice of the first of them, and that of all behind it. */
interface InactiveNotices {
  readonly first: InactiveNotice
  readonly rest: InactiveNotice
}

export const inactiveNotices = (place: Omit<Place, 'index'>): InactiveNotices => ({
  first: notice({ ...place, index: 0 }),
  rest: notice({ ...place, index: 1 }),
})

function notice(place: Place): InactiveNotice {
  const code = inactiveReason(place)
  return { code, upgrade: code !== 'TIER_LIMIT' ? null : place.account === 'guest' ? 'login' : 'upgrade' }
}
