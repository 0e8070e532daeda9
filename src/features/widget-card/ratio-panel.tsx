import { atom, type Atom } from 'jotai'
import { ChartLine, CloudUpload, History } from 'lucide-react'
import { useId, useMemo } from 'react'
import type { PairSummary } from '../../../workers/api'
import type { WidgetView } from '../../db/view'
import type { AlertSide } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-number'
import { DAY } from '../../domain/granularity'
import { relativeChange } from '../../domain/pair'
import { Badge } from '../../ui/badge'
import { classNames } from '../../ui/class-names'
import { Direction, directionOf } from '../../ui/direction'
import { VisuallyHidden } from '../../ui/visually-hidden'
import noteStyles from './card-notes.module.css'
import { defaultOf } from './checkpoint-field'
import { EXTREMES, Figure, type PairFigures, useFollow, useStalePrices } from './figure'
import { RangeBar } from './range-bar'
import styles from './ratio-panel.module.css'
import lineStyles from './sparkline.module.css'
import { ChangeStat, TrendSteps } from './stat'

interface RatioButtonProps {
  readonly ratio: Atom<number | null>
  /** A click saves the ratio as a checkpoint; otherwise it does nothing. */
  readonly armed: boolean
  /** Id of the element that its label points at. */
  readonly id: string
  readonly onSave: () => void
}

/** The largest thing on the card. Always a button, so that nothing moves when the user arms it; acts only while armed. */
function RatioButton({ ratio, armed, id, onSave }: RatioButtonProps) {
  const valueId = `${id}-value`
  return (
    <button
      type="button"
      id={id}
      aria-describedby={valueId}
      title={armed ? 'Save as checkpoint' : undefined}
      className={classNames(styles.button, armed && styles.armed)}
      onClick={armed ? onSave : undefined}
    >
      <Figure id={valueId} source={ratio} format={formatRatio} />
    </button>
  )
}

interface RatioPanelProps {
  readonly widget: WidgetView
  readonly figures: PairFigures
  /** The threshold that the ratio is beyond. */
  readonly extreme: AlertSide | null
  /** A click on the ratio saves it. */
  readonly arming: boolean
  readonly onSave: () => void
  readonly onOpenChart: () => void
}

/** The answer to "is it at an extreme?": the ratio, how it moved, and where it stands between its thresholds. */
export function RatioPanel({ widget, figures, extreme, arming, onSave, onOpenChart }: RatioPanelProps) {
  const ratioId = useId()
  const checkpoint = defaultOf(widget.checkpoints)?.ratio ?? null
  const { ratio, summary, change24h, trend } = figures
  const sinceCheckpoint = useMemo(() => atom((get) => relativeChange(get(ratio), checkpoint)), [ratio, checkpoint])
  return (
    <div className={styles.panel}>
      <div className={styles.heading}>
        <label htmlFor={ratioId} className={styles.label}>
          Current ratio
        </label>
        <CardNotes widget={widget} extreme={extreme} />
      </div>
      <div className={styles.now}>
        <RatioButton ratio={ratio} armed={arming} id={ratioId} onSave={onSave} />
        <ChartButton summary={summary} onClick={onOpenChart} />
      </div>
      <dl className={styles.stats}>
        <ChangeStat label="24h change" change={change24h} />
        <TrendSteps trend={trend} />
        <ChangeStat label="Since checkpoint" change={sinceCheckpoint} />
      </dl>
      <RangeBar figures={figures} alerts={widget.alerts} checkpoint={checkpoint} />
    </div>
  )
}

/** The server has not answered the pair's creation; the user can work with the pair already. */
export function SavingLabel() {
  return <p className={noteStyles.label}>Saving...</p>
}

/** Notes for the user: the ratio is at an extreme, the prices are old, or mutations wait for the server's answer. */
function CardNotes({ widget, extreme }: Pick<RatioPanelProps, 'widget' | 'extreme'>) {
  const stale = useStalePrices(widget)
  const pending = widget.isPending
  // "Saving..." stands for the mutation that creates the pair.
  const waiting = pending ? widget.waiting - 1 : widget.waiting
  const waitingText = waiting === 1 ? '1 change waits' : `${waiting} changes wait`
  const count = [pending, waiting > 0, stale !== null, extreme !== null].filter(Boolean).length
  return (
    <div className={noteStyles.notes} data-count={count}>
      {pending && <SavingLabel />}
      {waiting > 0 && (
        <p className={noteStyles.waiting} title={waitingText}>
          <CloudUpload aria-hidden="true" />
          <span className={noteStyles.text}>{waitingText}</span>
        </p>
      )}
      {stale !== null && (
        <p className={noteStyles.stale} title={stale.prefix + stale.text}>
          <History aria-hidden="true" />
          <VisuallyHidden>{stale.prefix}</VisuallyHidden>
          {stale.text}
        </p>
      )}
      {extreme !== null && (
        <Badge tone={EXTREMES[extreme].tone}>
          <Direction direction={EXTREMES[extreme].tone} />
          {EXTREMES[extreme].words}
        </Badge>
      )}
    </div>
  )
}

interface SparklinePath {
  /** SVG path data of the line. */
  readonly line: string
  /** The same, closed along the lower edge. */
  readonly area: string
}

const round = (value: number): number => Math.round(value * 10) / 10

/**
 * Path of a series in a box of `width` × `height` units whose upper edge is the largest value.
 * @param times ascending, milliseconds; the box spans `from` to `to`
 * @param values as many; those that are not finite are left out
 * @returns null with fewer than two points: there is no line to draw
 */
export function sparklinePath(
  times: Float64Array,
  values: Float64Array,
  box: { readonly width: number; readonly height: number; readonly from: number; readonly to: number },
): SparklinePath | null {
  let low = Infinity
  let high = -Infinity
  let points = 0
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
    points += 1
  }
  if (points < 2 || box.to <= box.from) return null

  const perMs = box.width / (box.to - box.from)
  // A flat line runs through the middle.
  const perUnit = high > low ? box.height / (high - low) : 0
  let line = ''
  let first = 0
  let last = 0
  for (let index = 0; index < times.length; index++) {
    const value = values[index] ?? NaN
    if (!Number.isFinite(value)) continue
    last = round((times[index]! - box.from) * perMs)
    if (line === '') first = last
    line += `${line === '' ? 'M' : 'L'}${last} ${round(perUnit === 0 ? box.height / 2 : (high - value) * perUnit)}`
  }
  return { line, area: `${line}L${last} ${box.height}L${first} ${box.height}Z` }
}

const WIDTH = 120
const HEIGHT = 40

/** Hidden while there is no line to draw. */
function draw(svg: SVGSVGElement, summary: PairSummary | undefined): void {
  const to = summary?.sparkTimes.at(-1) ?? 0
  const path =
    summary && sparklinePath(summary.sparkTimes, summary.spark, { width: WIDTH, height: HEIGHT, from: to - DAY, to })
  if (summary === undefined || path == null) {
    svg.removeAttribute('data-direction')
    return
  }
  svg.dataset.direction = directionOf(summary.change24h ?? 0)
  svg.children[0]?.setAttribute('d', path.area)
  svg.children[1]?.setAttribute('d', path.line)
}

type SummaryAtom = PairFigures['summary']

/** The ratio's last 24 hours. The 24h change says the same in words, so screen readers skip the picture. */
function Sparkline({ summary }: { readonly summary: SummaryAtom }) {
  const ref = useFollow(summary, draw)
  return (
    <svg
      ref={ref}
      className={lineStyles.sparkline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={lineStyles.area} />
      <path className={lineStyles.line} />
    </svg>
  )
}

/** The last 24 hours as a line; a click opens the whole chart. */
function ChartButton({ summary, onClick }: { readonly summary: SummaryAtom; readonly onClick: () => void }) {
  return (
    <button type="button" aria-label="Open chart" title="Open chart" className={lineStyles.button} onClick={onClick}>
      <Sparkline summary={summary} />
      <ChartLine aria-hidden="true" className={lineStyles.icon} />
    </button>
  )
}
