import { useSetAtom } from 'jotai'
import type { WidgetView } from '../../db/view'
import { type BandAlerts, bandAlerts } from '../../domain/band-alerts'
import { pairLabel } from '../../domain/pair'
import { usePairRatio } from '../../state/pair-ratio'
import { showToastAtom } from '../../state/toasts'
import { notUpdated, useChange } from '../../state/use-change'
import type { ChartReady } from '../../../workers/api'
import { lastRatio } from './figures'

const NO_THRESHOLDS = 'The bands reach down to 0 or meet, so no alerts were set.'

export interface BandAlertsStep {
  /** Null: the bands are no thresholds. */
  readonly alerts: BandAlerts | null
  readonly set: () => Promise<void>
}

/**
 * Sets both alerts of the widget at the chart's bands. The toast that says so can undo it, and switch alerts on where they
 * are off.
 * @returns null while there are no bands to set them at
 */
export function useBandAlerts(
  widget: WidgetView,
  chart: ChartReady | null,
  switchAlerts: (on: boolean) => void,
): BandAlertsStep | null {
  const ratio = usePairRatio(widget.coinA.id, widget.coinB.id)
  const showToast = useSetAtom(showToastAtom)
  const change = useChange(widget)
  if (chart === null || chart.currentBands === null) return null
  const bands = chart.currentBands
  const alerts = bandAlerts(bands, ratio ?? lastRatio(chart))

  const undo = (set: BandAlerts) => {
    const { highThreshold, highThresholdActive, lowThreshold, lowThresholdActive } = widget
    const before = {
      high_threshold: highThreshold,
      high_threshold_active: highThresholdActive,
      low_threshold: lowThreshold,
      low_threshold_active: lowThresholdActive,
    }
    return change({
      change: { highThreshold, highThresholdActive, lowThreshold, lowThresholdActive },
      command: async (context) =>
        (await import('../../db/commands/undo-band-alerts')).undoBandAlerts(context, widget.id, set, before),
      failed: notUpdated(widget),
    })
  }

  const set = async () => {
    if (alerts === null) {
      // oxlint-disable-next-line no-console -- the specification asks for a warning, and no error
      console.warn(NO_THRESHOLDS, bands)
      showToast({ type: 'info', message: NO_THRESHOLDS })
      return
    }
    const { high, low } = alerts
    const kept = await change({
      change: {
        highThreshold: high.threshold,
        highThresholdActive: high.armed,
        lowThreshold: low.threshold,
        lowThresholdActive: low.armed,
      },
      command: async (context) =>
        (await import('../../db/commands/set-band-alerts')).setBandAlerts(context, widget.id, alerts),
      failed: notUpdated(widget),
    })
    if (!kept) return
    const pair = pairLabel(widget.coinA.symbol, widget.coinB.symbol)
    showToast({
      type: 'success',
      message: `Alert thresholds updated for ${pair} based on chart bands.`,
      action: { label: 'Undo', run: () => void undo(alerts) },
      ...(!widget.notificationsEnabled && {
        secondAction: { label: 'Switch alerts on', run: () => switchAlerts(true) },
      }),
    })
  }
  return { alerts, set }
}
