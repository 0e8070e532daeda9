import { BellRing } from 'lucide-react'
import type { WidgetView } from '../../db/view'
import { formatSignificant } from '../../domain/format-number'
import { Button } from '../../ui/button'
import type { ChartReady } from '../../../workers/api'
import styles from './alert-preview.module.css'
import { useBandAlerts } from './use-band-alerts'

interface AlertPreviewProps {
  readonly widget: WidgetView
  /** The chart of the chosen period, once it is there. */
  readonly chart: ChartReady | null
  readonly areBandsShown: boolean
}

/** What the bands are and what the alerts are, and the step from the one to the other. */
export function AlertPreview({ widget, chart, areBandsShown }: AlertPreviewProps) {
  const setAlerts = useBandAlerts(widget, areBandsShown ? chart : null)
  const bands = chart?.currentBands ?? null
  return (
    <div className={styles['preview']}>
      <p>
        Current Bands: <Pair high={bands?.high ?? null} low={bands?.low ?? null} />
      </p>
      <p>
        Widget Alerts: <Pair high={widget.highThreshold} low={widget.lowThreshold} />
      </p>
      <Button
        size="sm"
        className={styles['set']}
        icon={<BellRing aria-hidden="true" />}
        title={areBandsShown ? undefined : 'Show the bands first'}
        disabled={setAlerts === null}
        onClick={() => void setAlerts?.()}
      >
        Set Alerts
      </Button>
    </div>
  )
}

function Pair({ high, low }: { readonly high: number | null; readonly low: number | null }) {
  return (
    <span className="tabular">
      {formatSignificant(high)} / {formatSignificant(low)}
    </span>
  )
}
