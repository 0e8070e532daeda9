import { BellRing } from 'lucide-react'
import { useId } from 'react'
import type { WidgetView } from '../../db/view'
import { formatSignificant } from '../../domain/format-number'
import { useAlertSwitch } from '../../state/use-alert-switch'
import { Button } from '../../ui/button'
import type { ChartReady } from '../../../workers/api'
import { AlertNote } from './alert-note'
import styles from './alert-preview.module.css'
import { useBandAlerts } from './use-band-alerts'

interface AlertPreviewProps {
  readonly widget: WidgetView
  /** The chart of the chosen period, once it is there. */
  readonly chart: ChartReady | null
  readonly areBandsShown: boolean
  readonly onShowBands: () => void
}

/** The bands, the alerts, and the step from the one to the other, with what it would set or waits for beside it. */
export function AlertPreview({ widget, chart, areBandsShown, onShowBands }: AlertPreviewProps) {
  const noteId = useId()
  const switchAlerts = useAlertSwitch(widget)
  const step = useBandAlerts(widget, areBandsShown ? chart : null, switchAlerts)
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
        aria-describedby={noteId}
        disabled={step === null}
        onClick={() => void step?.set()}
      >
        Set Alerts
      </Button>
      <AlertNote
        id={noteId}
        className={styles['note']}
        widget={widget}
        chart={chart}
        step={step}
        onShowBands={onShowBands}
        onSwitchOn={() => switchAlerts(true)}
      />
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
