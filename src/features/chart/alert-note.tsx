import { useRef } from 'react'
import { flushSync } from 'react-dom'
import type { WidgetView } from '../../db/view'
import { formatRatio } from '../../domain/format-ratio'
import { LinkButton } from '../../ui/link-button'
import type { ChartReady } from '../../../workers/api'
import type { BandAlertsStep } from './use-band-alerts'

interface AlertNoteProps {
  readonly id: string
  readonly className: string | undefined
  readonly widget: WidgetView
  readonly chart: ChartReady | null
  readonly step: BandAlertsStep | null
  readonly onShowBands: () => void
  readonly onSwitchOn: () => void
}

/** What Set Alerts would set, or waits for, and whether anybody is told. */
export function AlertNote({ id, className, widget, chart, step, onShowBands, onSwitchOn }: AlertNoteProps) {
  const note = useRef<HTMLParagraphElement>(null)
  /** The pressed button goes with what it says: the note keeps the focus. */
  const press = (act: () => void) => {
    flushSync(act)
    note.current?.focus()
  }
  const isSet = widget.highThreshold !== null || widget.lowThreshold !== null
  return (
    <p ref={note} id={id} tabIndex={-1} className={className}>
      {step !== null ? (
        <span className="tabular">{wordsOf(step)}</span>
      ) : chart === null ? (
        <span>Set Alerts waits for the chart.</span>
      ) : chart.currentBands === null ? (
        <span>Set Alerts waits for bands: this period has too few points.</span>
      ) : (
        <span>
          To set alerts at the bands, <LinkButton onClick={() => press(onShowBands)}>show the bands first</LinkButton>
        </span>
      )}
      {isSet && !widget.notificationsEnabled && (
        <span>
          Alerts are off: <LinkButton onClick={() => press(onSwitchOn)}>switch alerts on</LinkButton>
        </span>
      )}
    </p>
  )
}

/** In the digits of the ratio, which are more than those of the preview. */
function wordsOf({ alerts }: BandAlertsStep): string {
  if (alerts === null) return 'The bands reach down to 0 or meet: no alerts can be set at them.'
  return `Sets High = ${formatRatio(alerts.high.threshold)}, Low = ${formatRatio(alerts.low.threshold)}`
}
