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

/** Says which thresholds Set Alerts would set, or what it waits for, and whether anybody is told. */
export function AlertNote({ id, className, widget, chart, step, onShowBands, onSwitchOn }: AlertNoteProps) {
  const note = useRef<HTMLParagraphElement>(null)
  /** The pressed button goes with what it says: the note keeps the focus. */
  const press = (act: () => void) => {
    flushSync(act)
    note.current?.focus()
  }
  const isOff = !widget.notificationsEnabled && (widget.highThreshold !== null || widget.lowThreshold !== null)
  const needsBands = step === null && chart !== null && chart.currentBands !== null
  return (
    <p ref={note} id={id} tabIndex={-1} className={className}>
      {needsBands ? (
        <span>
          To set alerts at the bands, <LinkButton onClick={() => press(onShowBands)}>show the bands first</LinkButton>
        </span>
      ) : (
        <span className="tabular">{step === null ? waitsFor(chart) : setsWhat(step)}</span>
      )}{' '}
      {isOff && (
        <span>
          {/* One button at a time: a finger needs more room than two lines of text have. */}
          {needsBands ? (
            'Alerts are off.'
          ) : (
            <>
              Alerts are off: <LinkButton onClick={() => press(onSwitchOn)}>switch alerts on</LinkButton>
            </>
          )}
        </span>
      )}
    </p>
  )
}

const waitsFor = (chart: ChartReady | null): string =>
  chart === null ? 'Set Alerts waits for the chart.' : 'Set Alerts waits for bands: this period has too few points.'

/** In the digits of the ratio, which are more than those of the preview. */
function setsWhat({ alerts }: BandAlertsStep): string {
  if (alerts === null) return 'The bands reach down to 0 or meet: no alerts can be set at them.'
  return `Sets High = ${formatRatio(alerts.high.threshold)}, Low = ${formatRatio(alerts.low.threshold)}`
}
