import type { Stroke } from './lines'

/** A stretch of a line as the chart draws it. */
export function LineSample({
  stroke,
  className,
}: {
  readonly stroke: Stroke
  readonly className?: string | undefined
}) {
  return (
    <svg
      width="24"
      height="8"
      viewBox="0 0 24 8"
      preserveAspectRatio="xMinYMid slice"
      aria-hidden="true"
      className={className}
    >
      <line
        x1="0"
        x2="24"
        y1="4"
        y2="4"
        stroke={`var(${stroke.token})`}
        strokeWidth={stroke.width}
        strokeDasharray={stroke.dash.join(' ')}
      />
    </svg>
  )
}
