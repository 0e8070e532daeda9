import type { PairSummary } from '../../../workers/api'
import { DAY } from '../../domain/granularity'
import { directionOf } from '../../ui/direction'
import { type PairFigures, useFollow } from './figure'
import { sparklinePath } from '../../domain/sparkline-path'
import styles from './sparkline.module.css'

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
