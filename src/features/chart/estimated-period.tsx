import { formatEstimatedPeriod } from '../../domain/format-time'
import { Tooltip } from '../../ui/tooltip'
import type { ChartReady } from '../../../workers/api'
import styles from './estimated-period.module.css'

const EXPLANATION = 'Estimated dominant oscillation period based on peak/trough analysis'

/** A button only so that keyboards and fingers reach the explanation. */
export function EstimatedPeriod({ chart }: { readonly chart: ChartReady | null }) {
  return (
    <Tooltip text={EXPLANATION} side="below" align="end">
      {(describedBy) => (
        <button type="button" className={styles['estimate']} aria-describedby={describedBy}>
          Est. Period: <span className="tabular">{formatEstimatedPeriod(chart?.estimatedPeriod ?? null)}</span>
        </button>
      )}
    </Tooltip>
  )
}
