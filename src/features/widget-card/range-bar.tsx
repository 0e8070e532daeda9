import { atom, type Atom } from 'jotai'
import { useMemo } from 'react'
import type { AlertsView } from '../../db/view'
import { type Thresholds, thresholdsOf } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-number'
import { dayRange, placeOnRange, type RangeEnd, type RangeScale, rangeScale } from '../../domain/range-scale'
import type { PairStanding } from '../../domain/standing'
import { lateComponent } from '../../ui/late-component'
import { type PairFigures, useFollow } from './figure'
import styles from './range-bar.module.css'

/** Marks of the range bar. */
interface RangeMarks {
  /** Places in per cent of the bar's width; null: no such mark. */
  readonly low: number | null
  readonly high: number | null
  readonly checkpoint: number | null
  readonly now: number | null
  /** Whether the ends are thresholds, and not the extremes of the last day. */
  readonly lowSet: boolean
  readonly highSet: boolean
  /** The same in one sentence. */
  readonly words: string
  /** The text below the bar: the ratios at the ends, the bar's span, and the ratio's place on it; empty: no text. */
  readonly legend: Readonly<Record<(typeof LEGEND)[number], string>>
}

/**
 * The scale of a bar. Without thresholds it shows nine tenths of 90 days, so that a ratio beyond its ends is at an extreme.
 * @param day ratios of the last day, undefined while they are not known
 */
export const scaleOf = (
  thresholds: Thresholds,
  day: Float64Array | undefined,
  standing?: PairStanding | null,
): RangeScale | null =>
  standing && thresholds.low === null && thresholds.high === null
    ? rangeScale(thresholds, { low: standing.p5, high: standing.p95 }, 'days')
    : rangeScale(thresholds, day === undefined ? null : dayRange(day))

/** The scale of a pair's bar, as its figures go on. */
export function rangeScaleAtom({ summary }: Pick<PairFigures, 'summary'>, alerts: AlertsView): Atom<RangeScale | null> {
  const thresholds = thresholdsOf(alerts)
  // With both thresholds the bar does not depend on the last day.
  if (thresholds.high !== null && thresholds.low !== null) return atom(scaleOf(thresholds, undefined))
  return atom((get) => scaleOf(thresholds, get(summary)?.spark, get(summary)?.standing))
}

export function rangeMarks(scale: RangeScale | null, now: number | null, checkpoint: number | null): RangeMarks {
  const place = (ratio: number | null | undefined): number | null =>
    scale === null || ratio == null ? null : Math.round(1000 * placeOnRange(scale, ratio)) / 10
  return {
    low: place(scale?.low?.value),
    high: place(scale?.high?.value),
    checkpoint: place(checkpoint),
    now: place(now),
    lowSet: scale?.low?.from === 'threshold',
    highSet: scale?.high?.from === 'threshold',
    words: inWords(scale, now, checkpoint),
    legend: legendOf(scale, now),
  }
}

export const DAY_TITLE = '24h range'
/** Nine of ten days lie between the ends. */
export const DAYS_TITLE = '90 days, 5 – 95%'

function legendOf(scale: RangeScale | null, now: number | null): RangeMarks['legend'] {
  const { low = null, high = null } = scale ?? {}
  return {
    low: low === null ? '' : formatRatio(low.value),
    high: high === null ? '' : formatRatio(high.value),
    title: titleOf(low, high),
    now: low === null || high === null || now === null ? '' : nowWords(now, low.value, high.value),
  }
}

/** If only one end is a threshold, the other one is the last day's extreme, or open. */
function titleOf(low: RangeEnd | null, high: RangeEnd | null): string {
  if (low?.from === 'threshold' && high?.from === 'threshold') return 'Low – high threshold'
  if (low?.from === 'threshold') return high === null ? 'Low threshold' : 'Low threshold – 24h high'
  if (high?.from === 'threshold') return low === null ? 'High threshold' : '24h low – high threshold'
  return low === null ? '' : low.from === 'days' ? DAYS_TITLE : DAY_TITLE
}

function nowWords(now: number, low: number, high: number): string {
  if (low >= high) return ''
  if (now > high) return 'now above'
  if (now < low) return 'now below'
  return `now at ${Math.round((100 * (now - low)) / (high - low))}%`
}

function inWords(scale: RangeScale | null, now: number | null, checkpoint: number | null): string {
  const end = (name: string, day: string, share: number, found: RangeEnd | null | undefined) =>
    found &&
    `, ${found.from === 'threshold' ? `${name} threshold` : found.from === 'day' ? `${day} of the last day` : `${share}% of 90 days below`} ${formatRatio(found.value)}`
  const saved = checkpoint !== null && `, default checkpoint ${formatRatio(checkpoint)}`
  return `Now ${formatRatio(now)}${end('low', 'lowest', 5, scale?.low) ?? ''}${end('high', 'highest', 95, scale?.high) ?? ''}${saved || ''}`
}

export interface RangeBarProps {
  readonly figures: PairFigures
  readonly alerts: AlertsView
  /** The default checkpoint's ratio. */
  readonly checkpoint: number | null
}

const Standing = lateComponent(async () => (await import('./standing')).Standing)

/** The ratio between its thresholds, with the checkpoint; below them the bar's span, and the place in 90 days. */
export function RangeBar(props: RangeBarProps) {
  const marks = useRangeMarks(props)
  return (
    <div className={styles.whole}>
      <RangeTrack marks={marks} />
      <RangeEnds marks={marks} />
      <Standing {...props} />
    </div>
  )
}

export function useRangeMarks({ figures, alerts, checkpoint }: RangeBarProps): Atom<RangeMarks> {
  return useMemo(() => {
    const scale = rangeScaleAtom(figures, alerts)
    return atom((get) => rangeMarks(get(scale), get(figures.ratio), checkpoint))
  }, [figures, alerts, checkpoint])
}

/** The bar alone. */
export function RangeTrack({ marks }: { readonly marks: Atom<RangeMarks> }) {
  const ref = useFollow(marks, draw)
  return (
    <div ref={ref} role="img" className={styles.bar}>
      <div className={styles.track}>
        <i className={styles.below} />
        <i className={styles.above} />
      </div>
      <i className={styles.low} />
      <i className={styles.high} />
      <i className={styles.checkpoint} />
      <i className={styles.now} />
    </div>
  )
}

const LEGEND = ['low', 'title', 'now', 'high'] as const

/** The bar's numbers and span. Screen readers hear them as the bar's name. */
function RangeEnds({ marks }: { readonly marks: Atom<RangeMarks> }) {
  const ref = useFollow(marks, write)
  return (
    <p ref={ref} className={styles.legend} aria-hidden="true">
      <span />
      <span className={styles.span}>
        <span />
        <span />
      </span>
      <span />
    </p>
  )
}

function write(line: HTMLParagraphElement, { legend }: RangeMarks): void {
  const [low, span, high] = line.children
  const places = [low, span?.children[0], span?.children[1], high]
  for (const [index, part] of LEGEND.entries()) {
    const place = places[index]
    if (place !== undefined && place.textContent !== legend[part]) place.textContent = legend[part]
  }
}

/** Writes only changes: after most polls, the place of the ratio. */
function draw(bar: HTMLDivElement, marks: RangeMarks, before: RangeMarks | undefined): void {
  const [track, low, high, checkpoint, now] = bar.children
  const move = (element: Element | undefined, place: number | null, was: number | null | undefined) => {
    if (place === was || !(element instanceof HTMLElement)) return
    element.hidden = place === null
    if (place !== null) element.style.transform = `translateX(${place}%)`
  }
  const end = (
    element: Element | undefined,
    zone: Element | undefined,
    [place, isSet]: readonly [number | null, boolean],
    [was, wasSet]: readonly [number | null | undefined, boolean | undefined],
  ) => {
    move(element, place, was)
    move(zone, isSet ? place : null, wasSet === true ? was : wasSet === undefined ? undefined : null)
    if (isSet !== wasSet) element?.toggleAttribute('data-quiet', !isSet)
  }
  end(low, track?.children[0], [marks.low, marks.lowSet], [before?.low, before?.lowSet])
  end(high, track?.children[1], [marks.high, marks.highSet], [before?.high, before?.highSet])
  move(checkpoint, marks.checkpoint, before?.checkpoint)
  move(now, marks.now, before?.now)
  if (marks.words === before?.words) return
  bar.setAttribute('aria-label', marks.words)
  bar.title = marks.words
}
