import type { PairSummary } from '../../../workers/api'
import { DAY } from '../../domain/granularity'
import { directionOf } from '../../ui/direction'
import { type PairFigures, useFollow } from './figure'
import styles from './sparkline.module.css'

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

/** The ratio's last 24 hours. The 24h change says the same in words, so screen readers skip the picture. */
export function Sparkline({ summary }: { readonly summary: PairFigures['summary'] }) {
  const ref = useFollow(summary, draw)
  return (
    <svg
      ref={ref}
      className={styles.sparkline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.area} />
      <path className={styles.line} />
    </svg>
  )
}
