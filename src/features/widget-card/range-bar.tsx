import { atom, type Atom } from 'jotai'
import { useMemo } from 'react'
import styles from './range-bar.module.css'
import { type RangeMarks, rangeMarks, scaleOf } from './range-marks'
import type { PairFigures } from './slices'
import { useFollow } from './use-follow'

interface RangeBarProps {
  readonly figures: PairFigures
  readonly high: number | null
  readonly low: number | null
  /** The default checkpoint's ratio. */
  readonly checkpoint: number | null
}

/** Draws the ratio between its thresholds, and the checkpoint beside it; below it the span of the bar. */
export function RangeBar(props: RangeBarProps) {
  const marks = useRangeMarks(props)
  return (
    <div>
      <RangeTrack marks={marks} />
      <RangeEnds marks={marks} />
    </div>
  )
}

export function useRangeMarks({ figures, high, low, checkpoint }: RangeBarProps): Atom<RangeMarks> {
  return useMemo(() => {
    // With both thresholds the day has no say, and a new point of it changes nothing here.
    const whole = high !== null && low !== null
    const scale = atom((get) => scaleOf({ high, low }, whole ? undefined : get(figures.summary)?.spark))
    return atom((get) => rangeMarks(get(scale), get(figures.ratio), checkpoint))
  }, [figures, high, low, checkpoint])
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

/** The bar's numbers and what it spans. Screen readers hear all of it as the bar's name. */
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

/** Writes only what has changed: at most polls, that is the place of the ratio. */
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
