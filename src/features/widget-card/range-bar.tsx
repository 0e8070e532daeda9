import { atom, type Atom } from 'jotai'
import { type PointerEvent, useMemo } from 'react'
import type { AlertsView } from '../../db/view'
import { thresholdsOf } from '../../domain/alerts'
import type { RangeScale } from '../../domain/range-scale'
import { lateComponent } from '../../ui/late-component'
import { type PairFigures, useFollow } from './figure'
import { type RangeMarks, scaleOf, rangeMarks, LEGEND } from '../../domain/range-marks'
import styles from './range-bar.module.css'

/** The scale of a pair's bar, as its figures go on. */
export const useRangeScale = ({ summary }: Pick<PairFigures, 'summary'>): Atom<RangeScale | null> =>
  useMemo(() => atom((get) => scaleOf(get(summary)?.spark, get(summary)?.standing)), [summary])

/** @param checkpoint the default checkpoint's ratio */
export const useRangeMarks = (
  { ratio }: Pick<PairFigures, 'ratio'>,
  scale: Atom<RangeScale | null>,
  alerts: AlertsView,
  checkpoint: number | null,
): Atom<RangeMarks> =>
  useMemo(
    () => atom((get) => rangeMarks(get(scale), get(ratio), thresholdsOf(alerts), checkpoint)),
    [ratio, scale, alerts, checkpoint],
  )

interface RangeBarProps {
  readonly figures: PairFigures
  readonly alerts: AlertsView
  /** The default checkpoint's ratio. */
  readonly checkpoint: number | null
}

const Standing = lateComponent(async () => (await import('./standing')).Standing)

/** The ratio among those of 90 days, with thresholds and checkpoint; below them the bar's span, and the place in words. */
export function RangeBar({ figures, alerts, checkpoint }: RangeBarProps) {
  const scale = useRangeScale(figures)
  const marks = useRangeMarks(figures, scale, alerts, checkpoint)
  return (
    <div className={styles.whole}>
      <RangeTrack marks={marks} />
      <RangeEnds marks={marks} />
      <Standing figures={figures} scale={scale} />
    </div>
  )
}

/** The bar alone. */
export function RangeTrack({ marks }: { readonly marks: Atom<RangeMarks> }) {
  const ref = useFollow(marks, draw)
  return (
    <div ref={ref} role="img" className={styles.bar} onPointerEnter={sayInTooltip}>
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

/** A mouse is told what screen readers are; written with every price, it would be a write for each card. */
const sayInTooltip = ({ currentTarget: bar }: PointerEvent<HTMLDivElement>): void => {
  bar.title = bar.getAttribute('aria-label') ?? ''
}

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
  const [below, above] = track?.children ?? []
  for (const mark of [low, below]) move(mark, marks.low, before?.low)
  for (const mark of [high, above]) move(mark, marks.high, before?.high)
  move(checkpoint, marks.checkpoint, before?.checkpoint)
  move(now, marks.now, before?.now)
  if (marks.words === before?.words) return
  bar.setAttribute('aria-label', marks.words)
}
