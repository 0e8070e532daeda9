import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState, useEffect } from 'react'
import { type BoardView, findWidget, type WidgetView } from '../../../db/view'
import type { WidgetId } from '../../../domain/ids'
import type { PairOrder } from '../../../domain/pair-order'
import { pairTitle } from '../../../domain/pair'
import { cardFocusAtom, type ListSlot } from '../../../state/card-slot'
import { boardAtom } from '../../../state/live-data'
import { useCalmOrder } from '../../../state/use-calm-order'
import { useDashboardChoice } from '../../../state/use-dashboard-choice'
import { createDragRegistry } from '../../../ui/drag-registry'
import { SortingWhenLoaded } from '../../../ui/late-sorting'
import { useShortcuts } from '../../../ui/use-shortcuts'
import { VisuallyHidden } from '../../../ui/visually-hidden'
import { ListHead, ListToolbar } from './list-head'
import styles from './pair-list.module.css'
import { PairRow } from './pair-row'

/** The user has closed the chart beside the list; lasts until a pair is opened again. */
const paneClosedAtom = atom(false)

/**
 * The pair whose chart stands beside the list: the one of the address; without one, the pair that stood first when the
 * list came, unless the user has closed the chart.
 * @param named the pair of the address; null: it names none
 * @param rows in the order that is shown
 */
function useChosenPair(board: Pick<BoardView, 'widgets' | 'ids'>, named: WidgetId | null, rows: readonly WidgetView[]) {
  const [isClosed, setClosed] = useAtom(paneClosedAtom)
  const [first, setFirst] = useState(rows[0]?.id)
  const isThere = first !== undefined && findWidget(board, first) !== undefined
  const top = isThere ? first : rows[0]?.id
  if (top !== first) setFirst(top)
  const chosen = named ?? (isClosed ? null : (top ?? null))
  return { chosen, setClosed }
}

/** Whether each word of the term occurs in the pair's symbols or coins' names, in whatever case. */
function pairMatches(widget: WidgetView, term: string): boolean {
  const { coinA, coinB } = widget
  const text = `${pairTitle(widget)} ${coinA.symbol}/${coinB.symbol} ${coinA.name} ${coinB.name}`.toLowerCase()
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

interface PairListProps extends ListSlot {
  /** There is room for a chart beside the list, and a keyboard. */
  readonly atDesk: boolean
  /** The pair whose chart the address names. */
  readonly named: WidgetId | null
  readonly renderChart: (widget: WidgetId, onClose: () => void) => ReactNode
  /** Leaves the address of a chart. True if that leads to the list, false if to another screen. */
  readonly onCloseChart: () => boolean
}

const NO_WIDGETS: Pick<BoardView, 'widgets' | 'ids'> = { widgets: [], ids: {} }

/** The active pairs as rows, in an order of the user's choice; at a desk with one pair's chart beside them. */
export function PairList(props: PairListProps) {
  const { widgets, atDesk, named, renderChart, onOpenChart, onCloseChart, onMove, onRemove } = props
  const [{ order, keys: keysOn }, choose] = useDashboardChoice()
  const board = useAtomValue(boardAtom) ?? NO_WIDGETS
  const [typed, setTyped] = useState('')
  const term = typed.trim()
  const search = useRef<HTMLInputElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const focusCard = useSetAtom(cardFocusAtom)
  const { ordered, rows } = useRows(widgets, order, term, body)

  const { chosen, setClosed } = useChosenPair(board, named, ordered)
  const shown = atDesk && chosen !== null ? (board.ids[chosen] ?? chosen) : null
  const open = (id: WidgetId) => {
    setClosed(false)
    onOpenChart(id)
  }
  const close = () => {
    if (!onCloseChart()) return
    setClosed(true)
    // The focus would go with the chart. The row cannot take it if the search leaves the row out.
    const isLeftOut = widgets.some(({ id }) => id === shown) && !rows.some(({ id }) => id === shown)
    focusCard(isLeftOut ? (rows[0]?.id ?? null) : shown)
  }
  const walk = useWalk(body, rows, shown, open)
  const hasKeys = atDesk && keysOn
  useShortcuts({ j: () => walk(1), k: () => walk(-1), '/': () => search.current?.focus() }, hasKeys)

  // A row renders when its props change: these stay the same.
  const stable = useStable({ onOpenChart: open, onMove, onRemove })
  const onOrder = (next: PairOrder) => choose({ order: next })
  return (
    <div className={styles.desk} data-chart={shown !== null}>
      <div className={styles.list}>
        <ListToolbar
          order={order}
          onOrder={onOrder}
          term={typed}
          onTerm={setTyped}
          onEnter={() => walk('first')}
          searchRef={search}
          hasKeys={hasKeys}
        />
        <VisuallyHidden role="status">{term !== '' && `${rows.length} of ${widgets.length} pairs`}</VisuallyHidden>
        <PairTable
          body={body}
          widgets={widgets}
          rows={rows}
          isByHand={order === 'hand' && term === ''}
          head={<ListHead order={order} onOrder={onOrder} sortable={atDesk} />}
          hasKeys={hasKeys}
          shown={shown}
          slot={stable}
        />
        {rows.length === 0 && <p className={styles.none}>No pair matches "{term}"</p>}
      </div>
      {shown !== null && <div className={styles.chart}>{renderChart(shown as WidgetId, close)}</div>}
    </div>
  )
}

/** The pairs in their order, and those of them that the search leaves. */
function useRows(widgets: readonly WidgetView[], order: PairOrder, term: string, body: RefObject<HTMLElement | null>) {
  const keys = useCalmOrder(widgets, order, body)
  useGlide(body)
  const ordered = useMemo(() => {
    const byKey = new Map(widgets.map((widget) => [widget.key, widget]))
    return keys.flatMap((key) => byKey.get(key) ?? [])
  }, [widgets, keys])
  return { ordered, rows: ordered.filter((widget) => pairMatches(widget, term)) }
}

interface PairTableProps {
  readonly body: RefObject<HTMLDivElement | null>
  /** By hand. */
  readonly widgets: readonly WidgetView[]
  readonly rows: readonly WidgetView[]
  /** The rows can be moved: they stand in the order by hand, and all are shown. */
  readonly isByHand: boolean
  /** The pair whose chart stands beside the list. */
  readonly shown: string | null
  readonly head: ReactNode
  readonly hasKeys: boolean
  readonly slot: Pick<ListSlot, 'onOpenChart' | 'onMove' | 'onRemove'>
}

function PairTable({ body, widgets, rows, isByHand, head, hasKeys, shown, slot }: PairTableProps) {
  const [registry] = useState(createDragRegistry)
  const places = useMemo(() => new Map(widgets.map((widget, index) => [widget.key, index])), [widgets])
  const nameOf = (key: string) => {
    const widget = widgets[places.get(key) ?? -1]
    return widget === undefined ? 'Pair' : pairTitle(widget)
  }
  return (
    <>
      <div role="table" aria-label="Pairs" aria-keyshortcuts={hasKeys ? 'j k' : undefined} className={styles.table}>
        {head}
        <div role="rowgroup" className={styles.rows} ref={body}>
          {rows.map((widget) => (
            <PairRow
              key={widget.key}
              widget={widget}
              place={isByHand ? (places.get(widget.key) ?? null) : null}
              count={widgets.length}
              registry={registry}
              shown={widget.id === shown}
              {...slot}
            />
          ))}
        </div>
      </div>
      {isByHand && widgets.length > 1 && (
        <SortingWhenLoaded keys={rows.map(({ key }) => key)} nameOf={nameOf} registry={registry} onMove={slot.onMove} />
      )}
    </>
  )
}

/** Functions that stay the same; each calls the newest one of its name. */
function useStable(slot: Pick<ListSlot, 'onOpenChart' | 'onMove' | 'onRemove'>): typeof slot {
  const newest = useRef(slot)
  useLayoutEffect(() => {
    newest.current = slot
  })
  return useState(() => ({
    onOpenChart: (id: WidgetId) => newest.current.onOpenChart(id),
    onMove: (key: string, to: number) => newest.current.onMove(key, to),
    onRemove: (key: string) => newest.current.onRemove(key),
  }))[0]
}

/** Milliseconds that a row takes to its new place. */
const GLIDE_MS = 200

const reducesMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Lets the children of an element glide to their places when their order has changed; with reduced motion they jump. */
function useGlide(body: RefObject<HTMLElement | null>): void {
  const places = useRef(new Map<Element, number>())
  useLayoutEffect(() => {
    const before = places.current
    const rows = [...(body.current?.children ?? [])].filter((row) => row instanceof HTMLElement)
    places.current = new Map(rows.map((row) => [row, row.offsetTop]))
    if (reducesMotion()) return
    for (const row of rows) {
      const shift = (before.get(row) ?? row.offsetTop) - row.offsetTop
      if (shift !== 0) row.animate?.({ translate: [`0 ${shift}px`, '0 0'] }, { duration: GLIDE_MS, easing: 'ease-out' })
    }
  })
}

/** Milliseconds that the focus must stay on a pair before its chart opens: a held key moves past the others. */
const REST_MS = 150

/** The user moves over the pairs by keys: the focus moves at once, the chart once it stays. @param shown the pair of the chart */
function useWalk(
  body: RefObject<HTMLElement | null>,
  rows: readonly WidgetView[],
  shown: string | null,
  onArrive: (id: WidgetId) => void,
): (step: 1 | -1 | 'first') => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  return (step) => {
    const links = [...(body.current?.children ?? [])].map((row) => row.querySelector('a'))
    const focused = links.findIndex(
      (link) => link !== null && link.closest('[role="row"]')?.contains(document.activeElement),
    )
    const from = focused === -1 ? rows.findIndex(({ id }) => id === shown) : focused
    const to = step === 'first' ? 0 : Math.min(rows.length - 1, Math.max(0, from + step))
    const target = rows[to]
    if (target === undefined) return
    links[to]?.focus({ preventScroll: true })
    links[to]?.closest('[role="row"]')?.scrollIntoView({ block: 'nearest' })
    clearTimeout(timer.current)
    if (target.id !== shown) timer.current = setTimeout(() => onArrive(target.id), REST_MS)
  }
}
