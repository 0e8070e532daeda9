import { atom } from 'jotai'
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

/** Where the ratio stands between its thresholds, and the checkpoint beside it. */
export function RangeBar({ figures, high, low, checkpoint }: RangeBarProps) {
  const marks = useMemo(() => {
    // With both thresholds the day has no say, and a new point of it changes nothing here.
    const whole = high !== null && low !== null
    const scale = atom((get) => scaleOf({ high, low }, whole ? undefined : get(figures.summary)?.spark))
    return atom((get) => rangeMarks(get(scale), get(figures.ratio), checkpoint))
  }, [figures, high, low, checkpoint])
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
  if (marks.words !== before?.words) bar.setAttribute('aria-label', marks.words)
}
