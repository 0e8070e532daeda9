import { memo } from 'react'
import { DAY } from '../../domain/granularity'
import { sparklinePath } from './sparkline-path'
import styles from './sparkline.module.css'

interface SparklineProps {
  readonly times: Float64Array
  readonly values: Float64Array
  readonly direction: 'up' | 'down' | 'flat'
}

const WIDTH = 120
const HEIGHT = 40

/** The ratio's last 24 hours. A picture of what the 24h change says in words, so screen readers skip it. */
export const Sparkline = memo(function Sparkline({ times, values, direction }: SparklineProps) {
  const to = times.at(-1) ?? 0
  const path = sparklinePath(times, values, { width: WIDTH, height: HEIGHT, from: to - DAY, to })
  if (path === null) return null
  return (
    <svg
      className={styles.sparkline}
      data-direction={direction}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.area} d={path.area} />
      <path className={styles.line} d={path.line} />
    </svg>
  )
})
