import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Link } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import type { StatisticWindow } from '../../../domain/pair-statistics'
import { pairTitle } from '../../../domain/pair'
import { percentileWords, placeWords } from '../../../domain/format-number'
import { FigureLink } from '../../../ui/figure-link'
import { VisuallyHidden } from '../../../ui/visually-hidden'
import { watchTheme } from '../../../ui/watch-theme'
import type { PairAddress } from '../radar-query'
import type { RadarMarket } from '../radar-market'
import { distanceWords, missingWords, WINDOW_WORDS } from '../radar-words'
import { cellAfter, cellFigures, type CellPlace, furthestCell, type MatrixCells } from './matrix-cells'
import { drawMatrix, drawnSize, type MatrixTheme, matrixLayout, readMatrixTheme } from './matrix-drawing'
import { MatrixLegend } from './matrix-legend'
import styles from './matrix.module.css'

interface MatrixProps {
  readonly market: RadarMarket
  readonly cells: MatrixCells
  readonly window: StatisticWindow
  readonly pairLink: PairAddress
}

/**
 * Coins × coins, z as colour. Screen readers get an application of one tab stop, whose keys walk the cells and have each
 * said; the list has the same pairs as links (decision 0141).
 */
export function Matrix({ market, cells, window, pairLink }: MatrixProps) {
  const host = useRef<HTMLDivElement>(null)
  const help = useId()
  const width = useWidth(host)
  const theme = useMatrixTheme(host)
  const [cursor, setCursor] = useState<CellPlace | null>(null)
  const [said, setSaid] = useState('')
  const { size } = cells
  const place = cursor !== null && cursor.row < size && cursor.column < size ? cursor : null

  const open = (at: CellPlace) => {
    if (cellFigures(market, cells, at, window) === null) return
    const { coinA, coinB } = coinsAt(market, cells, at)
    const { href, state } = pairLink(coinA.id, coinB.id)
    navigate(href, { state })
  }
  const walkTo = (at: CellPlace) => {
    setCursor(at)
    setSaid(wordsOf(market, cells, window, at))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey) return
    const at = place ?? furthestCell(cells)
    const next = cellAfter(at, event, size)
    if (next !== null) walkTo(next)
    else if (event.key === 'Enter' && place !== null) open(place)
    else return
    event.preventDefault()
  }
  return (
    <section className={styles.matrix} aria-label="Matrix">
      <Readout market={market} cells={cells} place={place} window={window} pairLink={pairLink} />
      <div ref={host} className={styles.host}>
        <Board
          width={width}
          market={market}
          cells={cells}
          theme={theme}
          place={place}
          onFocus={() => walkTo(place ?? furthestCell(cells))}
          onKeyDown={onKeyDown}
          onPoint={setCursor}
          onOpen={open}
          describedBy={help}
        />
      </div>
      <VisuallyHidden id={help}>
        Arrow keys walk the cells, Enter opens the pair. The list has the same pairs as links.
      </VisuallyHidden>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {theme !== null && <MatrixLegend theme={theme} />}
    </section>
  )
}

const coinsAt = (market: RadarMarket, cells: MatrixCells, { row, column }: CellPlace) => ({
  coinA: market.labels[cells.coins[row]!]!,
  coinB: market.labels[cells.coins[column]!]!,
})

/** A cell as screen readers hear it. */
function wordsOf(market: RadarMarket, cells: MatrixCells, window: StatisticWindow, at: CellPlace): string {
  const pair = coinsAt(market, cells, at)
  if (at.row === at.column) return pair.coinA.symbol
  const figures = cellFigures(market, cells, at, window)
  if (figures === null) return `${pairTitle(pair)}: not listed`
  const listed = cells.pairs[at.row * cells.size + at.column]!
  const missing = missingWords(market, listed, window)
  if (missing !== null) return `${pairTitle(pair)}: ${missing}`
  return `${pairTitle(pair)}: ${distanceWords(figures)} from average, ${percentileWords(figures.percentile)}`
}

interface BoardProps extends Pick<MatrixProps, 'market' | 'cells'> {
  /** CSS pixels of the room for the drawing; 0 until it is known. */
  readonly width: number
  readonly theme: MatrixTheme | null
  readonly place: CellPlace | null
  readonly describedBy: string
  /** The pointer is over a cell; null: beside them. */
  readonly onPoint: (at: CellPlace | null) => void
  readonly onOpen: (at: CellPlace) => void
  /** The focus has come by keys. */
  readonly onFocus: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** The drawing, with the pointer's part. */
function Board(props: BoardProps) {
  const { width, market, cells, theme, place, describedBy, onPoint, onOpen, onFocus, onKeyDown } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const { size } = cells
  const symbols = useMemo(() => cells.coins.map((row) => market.labels[row]!.symbol), [market, cells])
  const layout = matrixLayout(width, size, devicePixelRatio)

  useLayoutEffect(() => {
    if (canvas.current !== null && theme !== null && width > 0) {
      drawMatrix(canvas.current, cells, symbols, matrixLayout(width, cells.size, devicePixelRatio), theme)
    }
  }, [cells, symbols, theme, width])

  const placeAt = (event: PointerEvent): CellPlace | null => {
    const box = canvas.current?.getBoundingClientRect()
    if (box === undefined) return null
    const along = (from: number, to: number) => Math.floor(((to - from) * layout.ratio - layout.gutter) / layout.cell)
    const at = { row: along(box.top, event.clientY), column: along(box.left, event.clientX) }
    return at.row >= 0 && at.column >= 0 && at.row < size && at.column < size ? at : null
  }
  const onPointerUp = (event: PointerEvent) => {
    const at = placeAt(event)
    if (at === null || event.button !== 0) return
    // A mouse has seen the figures by then; a finger's first tap shows them.
    const isSeen = event.pointerType === 'mouse' || (place?.row === at.row && place.column === at.column)
    onPoint(at)
    if (isSeen) onOpen(at)
  }
  const side = drawnSize(layout, size) / layout.ratio
  return (
    // oxlint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex -- an application takes the keys (decision 0141)
    <div
      className={styles.board}
      style={{ width: side, height: side }}
      role="application"
      tabIndex={0}
      aria-label={`Matrix of ${size} × ${size} coins`}
      aria-describedby={describedBy}
      onFocus={(event) => event.currentTarget.matches(':focus-visible') && onFocus()}
      onKeyDown={onKeyDown}
      onPointerMove={(event) => event.pointerType === 'mouse' && onPoint(placeAt(event))}
      onPointerUp={onPointerUp}
    >
      <canvas ref={canvas} className={styles.canvas} style={{ width: side, height: side }} aria-hidden="true" />
      {place !== null && <Cursor place={place} symbols={symbols} layout={layout} />}
    </div>
  )
}

/** CSS pixels of the room for the drawing; 0 until it is known. */
function useWidth(host: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const measure = () => setWidth(Math.floor(element.getBoundingClientRect().width))
    measure()
    if (typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [host])
  return width
}

/** The stylesheet's colours, read again when they may have changed; null until they are read. */
function useMatrixTheme(host: RefObject<HTMLElement | null>): MatrixTheme | null {
  const [theme, setTheme] = useState<MatrixTheme | null>(null)
  useEffect(() => {
    const read = () => host.current && setTheme(readMatrixTheme(host.current))
    read()
    return watchTheme(read)
  }, [host])
  return theme
}

interface CursorProps {
  readonly place: CellPlace
  readonly symbols: readonly string[]
  readonly layout: ReturnType<typeof matrixLayout>
}

/** Marks the current cell and names its coins at the edges; the drawing below stays as it is. */
function Cursor({ place: { row, column }, symbols, layout: { ratio, cell, gutter } }: CursorProps) {
  const [side, edge] = [cell / ratio, gutter / ratio]
  const [left, top] = [edge + column * side, edge + row * side]
  return (
    <>
      <span className={styles.cursor} style={{ left, top, width: side, height: side }} />
      <span className={styles.rowName} style={{ top: top + side / 2, width: edge }}>
        {symbols[row]}
      </span>
      <span className={styles.columnName} style={{ left: left + side / 2, height: edge }}>
        {symbols[column]}
      </span>
    </>
  )
}

interface ReadoutProps extends MatrixProps {
  readonly place: CellPlace | null
}

/** The figures of the current cell; its name leads to the pair. */
function Readout({ market, cells, place, window, pairLink }: ReadoutProps) {
  const figures = place === null ? null : cellFigures(market, cells, place, window)
  if (place === null || figures === null) {
    return (
      <p className={styles.readout}>
        <span className={styles.hint}>
          How far each coin (row) stands <FigureLink figure="z">from its average</FigureLink> in another (column),{' '}
          {WINDOW_WORDS[window]}
        </span>
      </p>
    )
  }
  const pair = cells.pairs[place.row * cells.size + place.column]!
  const { coinA, coinB } = coinsAt(market, cells, place)
  const missing = missingWords(market, pair, window)
  return (
    <p className={styles.readout}>
      <Link className={styles.pair ?? ''} {...pairLink(coinA.id, coinB.id)}>
        {pairTitle({ coinA, coinB })}
      </Link>
      {missing !== null ? (
        <span className={styles.hint}>{missing}</span>
      ) : (
        <>
          <span className={styles.figure}>{distanceWords(figures)}</span>
          <span className={styles.figure}>{placeWords(figures.percentile)}</span>
        </>
      )}
    </p>
  )
}
