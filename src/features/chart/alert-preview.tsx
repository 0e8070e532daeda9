import { useSetAtom } from 'jotai'
import { BellRing } from 'lucide-react'
import { useId, useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { ChartReady } from '../../../workers/api'
import type { WidgetView } from '../../db/view'
import { ALERT_SIDES, hasThreshold, SIDES, thresholdsOf } from '../../domain/alerts'
import { type BandAlerts, bandAlerts } from '../../domain/band-thresholds'
import { formatRatio, formatSignificant } from '../../domain/format-number'
import { alertsSentence, marginWords } from '../../domain/margin-words'
import { pairLabel } from '../../domain/pair'
import { closesByDay, proposedMargin } from '../../domain/proposed-margin'
import { usePairRatio } from '../../state/live-data'
import { useRatioHistory } from '../../state/ratio-history'
import { useAlertFeature } from '../../state/server-settings'
import { showToastAtom } from '../../state/toasts'
import { useAlertSwitch, useUpdateWidget } from '../../state/use-command'
import { Button, LinkButton } from '../../ui/button'
import text from '../../ui/text.module.css'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './alert-preview.module.css'
import { lastRatio } from '../../domain/chart-facts'

const NO_THRESHOLDS = 'The bands reach down to 0 or meet, so no alerts were set.'

export interface BandAlertsSetter {
  /** Null: the bands are no thresholds. */
  readonly alerts: BandAlerts | null
  /** That is proposed for a pair without thresholds, and what it would have done; null: none is. */
  readonly margin: { readonly value: number; readonly sentence: string } | null
  readonly set: () => Promise<void>
}

/**
 * Sets both alerts of the widget at the chart's bands. The toast offers to undo it, and to switch alerts on where they are
 * off. Null while there are no bands.
 */
function useBandAlerts(
  widget: WidgetView,
  chart: ChartReady | null,
  switchAlerts: (on: boolean) => void,
): BandAlertsSetter | null {
  const ratio = usePairRatio(widget.coinA.id, widget.coinB.id)
  const showToast = useSetAtom(showToastAtom)
  const update = useUpdateWidget(widget)
  const proposal = useMarginProposal(widget, chart !== null && chart.currentBands !== null)
  if (chart === null || chart.currentBands === null) return null
  const bands = chart.currentBands
  const alerts = bandAlerts(bands, ratio ?? lastRatio(chart))
  const margin = (alerts && proposal?.(alerts)) ?? null

  const undo = (set: BandAlerts) => {
    const { high, low } = widget.alerts
    const before = {
      high: { threshold: high.threshold, armed: high.armed },
      low: { threshold: low.threshold, armed: low.armed },
    }
    void update({ alerts: before, ...(margin && { margin: widget.margin }) }, { expected: thresholdsOf(set) })
  }

  const set = async () => {
    if (alerts === null) {
      // oxlint-disable-next-line no-console -- the specification asks for a warning, and no error
      console.warn(NO_THRESHOLDS, bands)
      showToast({ kind: 'info', message: NO_THRESHOLDS })
      return
    }
    if (!(await update({ alerts, ...(margin && { margin: margin.value }) }))) return
    const pair = pairLabel(widget.coinA.symbol, widget.coinB.symbol)
    showToast({
      kind: 'success',
      message: `Alert thresholds updated for ${pair} based on chart bands.`,
      action: { label: 'Undo', run: () => undo(alerts) },
      ...(!widget.notificationsEnabled && {
        secondAction: { label: 'Switch alerts on', run: () => switchAlerts(true) },
      }),
    })
  }
  return { alerts, margin, set }
}

/** The margin that is proposed for a pair whose first thresholds are set, by their alerts in the past; null: none is. */
function useMarginProposal({ coinA, coinB, rules, margin }: WidgetView, isShown: boolean) {
  const isWanted = useAlertFeature('margin') && isShown && rules.length === 0 && margin === 0
  const history = useRatioHistory({ coinA: coinA.id, coinB: coinB.id }, isWanted)
  return useMemo(() => {
    const value = isWanted && history !== null ? proposedMargin(closesByDay(history)) : null
    if (value === null || history === null) return null
    return (alerts: BandAlerts) => {
      const levels = ALERT_SIDES.map((side) => ({ kind: SIDES[side].kind, level: alerts[side].threshold }))
      const sentence = alertsSentence(history, levels, { margin: value, holdMinutes: 0 })
      return { value, sentence: sentence ?? '' }
    }
  }, [isWanted, history])
}

interface AlertPreviewProps {
  readonly widget: WidgetView
  /** The chart of the chosen period; null before it is computed. */
  readonly chart: ChartReady | null
  readonly areBandsShown: boolean
  readonly onShowBands: () => void
}

/** The bands, the alerts, and the button that sets alerts at the bands, with its effect or what it waits for. */
export function AlertPreview({ widget, chart, areBandsShown, onShowBands }: AlertPreviewProps) {
  const noteId = useId()
  const { switchAlerts } = useAlertSwitch(widget)
  const setter = useBandAlerts(widget, areBandsShown ? chart : null, switchAlerts)
  const bands = chart?.currentBands ?? null
  return (
    <div className={styles.preview}>
      <p>
        Current Bands: <Pair high={bands?.high ?? null} low={bands?.low ?? null} />
      </p>
      <p>
        Widget Alerts: <Pair high={widget.alerts.high.threshold} low={widget.alerts.low.threshold} />
      </p>
      <Button
        size="sm"
        className={styles.set}
        icon={BellRing}
        aria-describedby={noteId}
        disabled={setter === null}
        onClick={() => void setter?.set()}
      >
        Set Alerts
      </Button>
      <AlertNote
        id={noteId}
        widget={widget}
        chart={chart}
        setter={setter}
        onShowBands={onShowBands}
        onSwitchOn={() => switchAlerts(true)}
      />
    </div>
  )
}

/** The place says which is which; a screen reader hears it. */
const Pair = ({ high, low }: { readonly high: number | null; readonly low: number | null }) => (
  <span className={text.tabular}>
    <VisuallyHidden>high </VisuallyHidden>
    {formatSignificant(high)} / <VisuallyHidden>low </VisuallyHidden>
    {formatSignificant(low)}
  </span>
)

interface AlertNoteProps extends Omit<AlertPreviewProps, 'areBandsShown'> {
  readonly id: string
  readonly setter: BandAlertsSetter | null
  readonly onSwitchOn: () => void
}

/** Says which thresholds Set Alerts would set, or what it waits for, and whether alerts are off. */
function AlertNote({ id, widget, chart, setter, onShowBands, onSwitchOn }: AlertNoteProps) {
  const note = useRef<HTMLParagraphElement>(null)
  /** The pressed button goes with its sentence: the note takes the focus. */
  const press = (act: () => void) => {
    flushSync(act)
    note.current?.focus()
  }
  const isOff = !widget.notificationsEnabled && hasThreshold(widget.alerts)
  const needsBands = setter === null && chart !== null && chart.currentBands !== null
  return (
    <p ref={note} id={id} tabIndex={-1} className={styles.note}>
      {needsBands ? (
        <span>
          To set alerts at the bands, <LinkButton onClick={() => press(onShowBands)}>show the bands first</LinkButton>
        </span>
      ) : (
        <span className={text.tabular}>{setter === null ? waitsFor(chart) : setsWhat(setter)}</span>
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

/** In the digits of the ratio: the preview has fewer. */
function setsWhat({ alerts, margin }: BandAlertsSetter): string {
  if (alerts === null) return 'The bands reach down to 0 or meet: no alerts can be set at them.'
  const sets = `Sets High = ${formatRatio(alerts.high.threshold)}, Low = ${formatRatio(alerts.low.threshold)}`
  return margin === null ? sets : `${sets}, and a margin of ${marginWords(margin.value)}. ${margin.sentence}`
}
