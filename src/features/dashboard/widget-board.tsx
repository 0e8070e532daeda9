import { useAtomValue, useSetAtom, useStore } from 'jotai'
import {
  type ComponentType,
  type ReactNode,
  useCallback,
  useId,
  useMemo,
  useRef,
  useState,
  startTransition,
  useEffect,
} from 'react'
import type { CommandContext } from '../../db/command'
import type { BoardView, WidgetView } from '../../db/view'
import { messageOf, withoutStop } from '../../domain/error-message'
import { pairTitle } from '../../domain/pair'
import { inactiveNotices } from '../../domain/tier-limits'
import { cardFocusAtom, cardOrderAtom, type CardSlot, type ListSlot, MOVE_HELP_ID } from '../../state/card-slot'
import { dashboardChoiceAtom, hasListAtom } from '../../state/dashboard-choice'
import { boardAtom, startFeedsAtom } from '../../state/live-data'
import { loadCommands, useCommand, useHold } from '../../state/use-command'
import { createDragRegistry, type DragRegistry } from '../../ui/drag-registry'
import { lateComponent } from '../../ui/late-component'
import { SortingWhenLoaded } from '../../ui/late-sorting'
import { MOVE_HELP, moved, movedTo } from '../../ui/move-menu'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './widget-section.module.css'

interface WidgetBoardProps extends Pick<CardSlot, 'onOpenChart'> {
  readonly onCards?: (() => void) | undefined
  readonly board: BoardView
  readonly Card: ComponentType<CardSlot>
  readonly List: ComponentType<ListSlot & { readonly onClose: () => void }>
}

const ExtremesLine = lateComponent(async () => (await import('./extremes-line')).ExtremesLine)
const CardOrder = lateComponent(async () => (await import('./card-order')).CardOrder)
const BoardTools = lateComponent(async () => (await import('./board-tools')).BoardTools)

/** Both sections of cards; the user moves and removes cards in them. */
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
  const slot = { onOpenChart, onMove, onRemove }
  const common = { ...slot, active: active.length, registry, Card }
  // Cards stand in for a list whose code could not be loaded.
  const list = useAtomValue(hasListAtom) && (
    <List {...slot} widgets={active} onClose={() => setChoice((known) => known && { ...known, view: 'cards' })} />
  )
  return (
    <>
      <p id={MOVE_HELP_ID} hidden>
        {MOVE_HELP}
      </p>
      <VisuallyHidden role="status">{message}</VisuallyHidden>
      <div className={styles.extremes}>
        <ExtremesLine />
      </div>
      <div className={styles.tools}>
        <BoardTools onCards={onCards} />
      </div>
      <WidgetSection {...common} title="Active Widgets" widgets={active} inactive={null} list={list} />
      {rest.length > 0 && <WidgetSection {...common} title="Inactive Widgets" widgets={rest} inactive={inactive} />}
    </>
  )
}

/** Moves and removes cards by commands. */
function useBoardActions() {
  const runCommand = useCommand()
  const hold = useHold()
  const store = useStore()
  const setCardFocus = useSetAtom(cardFocusAtom)
  const [message, setMessage] = useState('')

  // The callbacks stay the same for as long as the cards live: they look up the board when they are called.
  const onMove = useCallback(
    async (key: string, to: number) => {
      const current = store.get(boardAtom)?.widgets ?? []
      const widget = current.find((candidate) => candidate.key === key)
      if (widget === undefined) return
      const section = current.filter((candidate) => candidate.isActive === widget.isActive)
      const others = current.filter((candidate) => candidate.isActive !== widget.isActive)
      const reordered = moved(section, section.indexOf(widget), to)
      const order = widget.isActive ? [...reordered, ...others] : [...others, ...reordered]
      const ids = order.map(({ id }) => id)
      const reorder = async (context: CommandContext) => (await loadCommands()).reorderWidgets(context, ids)
      const said = movedTo(pairTitle(widget), to, section.length)
      const { ok } = await runCommand(reorder, () => 'Error: Could not save your new layout.')
      if (ok) setMessage(said)
    },
    [runCommand, store],
  )

  const onRemove = useCallback(
    (key: string) => {
      const current = store.get(boardAtom)?.widgets ?? []
      const index = current.findIndex((candidate) => candidate.key === key)
      const widget = current[index]
      if (widget === undefined) return
      const name = pairTitle(widget)
      const neighbour = current[index + 1] ?? current[index - 1]
      setCardFocus(neighbour?.key ?? null)
      const remove = async (context: CommandContext) => {
        const { removeWidget } = await loadCommands()
        return removeWidget({ ...context, hold: hold(`${name} removed.`, () => setCardFocus(key)) }, widget.id)
      }
      void runCommand(remove, (error) => `Failed to remove ${name}: ${withoutStop(messageOf(error))}.`)
    },
    [hold, runCommand, setCardFocus, store],
  )

  return { message, onMove, onRemove }
}

const InactiveHead = lateComponent(async () => (await import('./inactive-head')).InactiveHead)

interface WidgetSectionProps extends Pick<CardSlot, 'onOpenChart' | 'onMove' | 'onRemove'> {
  readonly title: string
  readonly widgets: readonly WidgetView[]
  /** Null for the active section. */
  readonly inactive: ReturnType<typeof inactiveNotices> | null
  /** How many pairs are active. */
  readonly active: number
  readonly registry: DragRegistry
  readonly Card: ComponentType<CardSlot>
  /** Stands in place of the cards. */
  readonly list?: ReactNode
}

/** Pairs that the order does not name yet stand at the end. */
function inOrder(widgets: readonly WidgetView[], keys: readonly string[] | null): readonly WidgetView[] {
  if (keys === null) return widgets
  const place = ({ key }: WidgetView) => keys.indexOf(key) >>> 0
  return widgets.toSorted((a, b) => place(a) - place(b))
}

/** The cards of one kind, active or inactive. Order changes inside a section only. */
function WidgetSection({ title, widgets, inactive, active, registry, Card, list, ...slot }: WidgetSectionProps) {
  const headingId = useId()
  const cards = useRef<HTMLUListElement>(null)
  const order = useAtomValue(cardOrderAtom)
  const choice = useAtomValue(dashboardChoiceAtom)?.order ?? 'hand'
  const isComputed = !list && !inactive && choice !== 'hand'
  const shown = useInSteps(inOrder(widgets, isComputed ? order : null))
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
      {isComputed && <CardOrder widgets={widgets} cards={cards} />}
      {widgets.length === 0 ? (
        // Only the active section is shown empty, beside inactive pairs: pairs have been added.
        <p className={styles.empty}>None of your widgets is active.</p>
      ) : list ? (
        // The height of the rows, until their code has loaded.
        <div style={{ minHeight: `${widgets.length * 4}rem` }}>{list}</div>
      ) : (
        <ul className={styles.grid} ref={cards}>
          {shown.map((widget, index) => (
            <li key={widget.key} className={styles.slot} ref={registry.slotRef(widget.key)}>
              <Card
                widget={widget}
                index={index}
                // A card among one is not moved.
                count={isComputed ? 1 : widgets.length}
                inactive={inactive && (index === 0 ? inactive.first : inactive.rest)}
                drag={registry.start}
                {...slot}
              />
            </li>
          ))}
        </ul>
      )}
      {!list && !isComputed && widgets.length > 1 && (
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

/** Cards that come with each paint. */
const CARDS_A_PAINT = 5
/** Square pixels that a card takes at least, with the space around it. */
const CARD_AREA = 100_000

/**
 * At the page's first paint the items in sight, then more with each paint until all are there: fifty cards take a phone
 * more than a second. Later screens have all at once, since a browser that goes back restores a scroll position.
 */
function useInSteps<T>(items: readonly T[]): readonly T[] {
  const store = useStore()
  const [count, setCount] = useState(() =>
    store.get(startFeedsAtom) === null ? Math.ceil((innerWidth * innerHeight) / CARD_AREA) : Infinity,
  )
  useEffect(() => {
    if (count < items.length) startTransition(() => setCount((shown) => shown + CARDS_A_PAINT))
  }, [count, items.length])
  return items.slice(0, count)
}
