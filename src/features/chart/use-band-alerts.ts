import { useSetAtom } from 'jotai'
import type { WidgetView } from '../../db/view'
import { bandAlerts } from '../../domain/band-alerts'
import { pairLabel } from '../../domain/pair'
import { usePairRatio } from '../../state/pair-ratio'
import { showToastAtom } from '../../state/toasts'
import { notUpdated, useChange } from '../../state/use-change'
import type { ChartReady } from '../../../workers/api'
import { lastRatio } from './figures'

const NO_THRESHOLDS = 'The bands reach down to 0 or meet, so no alerts were set.'

/**
 * Sets both alerts of the widget at the chart's bands.
 * @returns null while there are no bands to set them at
 */
export function useBandAlerts(widget: WidgetView, chart: ChartReady | null): (() => Promise<void>) | null {
  const ratio = usePairRatio(widget.coinA.id, widget.coinB.id)
  const showToast = useSetAtom(showToastAtom)
  const change = useChange(widget)
  if (chart === null || chart.currentBands === null) return null
  const bands = chart.currentBands

  return async () => {
    const alerts = bandAlerts(bands, ratio ?? lastRatio(chart))
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
    showToast({ type: 'success', message: `Alert thresholds updated for ${pair} based on chart bands.` })
  }
}
