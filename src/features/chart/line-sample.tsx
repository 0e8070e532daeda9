import { LINES, type LineId } from './lines'

/** A stretch of a line as the chart draws it. */
export function LineSample({ id, className }: { readonly id: LineId; readonly className?: string | undefined }) {
  const line = LINES.find((candidate) => candidate.id === id)
  if (line === undefined) throw new Error(`No such line: ${id}`)
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
        stroke={`var(${line.token})`}
        strokeWidth={line.width}
        strokeDasharray={line.dash.join(' ')}
      />
    </svg>
  )
}
