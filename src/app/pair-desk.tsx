import { navigate } from 'wouter/use-browser-location'
import type { WidgetId } from '../domain/ids'
import type { Period } from '../domain/chart-periods'
import { ChartWaiting } from '../features/chart/chart-frame'
import { PairList } from '../features/widget-card/list/pair-list'
import type { ListSlot } from '../state/card-slot'
import { lateDialog } from '../ui/late-component'
import { DESK, useMediaQuery } from '../ui/browser-state'
import { chartAddress, FROM_DASHBOARD, sheetAddress } from './addresses'
import { useChartAddress } from './use-chart-address'
import { useTitle } from './screen'

const ChartScreen = lateDialog(async () => (await import('../features/chart/chart-screen')).ChartScreen, {
  whileLoading: ChartWaiting,
})

/** The list of pairs; at a desk with the chart of the address, or of the first pair, beside it. */
export function PairDesk({ onOpenChart, ...slot }: ListSlot) {
  const atDesk = useMediaQuery(DESK)
  const { named, period, title, state, choose, leave } = useChartAddress(atDesk)
  useTitle(atDesk ? (named === null ? 'Dashboard' : title) : undefined)

  // Another pair's chart beside the list replaces the address: one step back leads to the list.
  const open = (widget: WidgetId) => {
    if (named === null) onOpenChart(widget)
    else navigate(chartAddress(widget, period ?? undefined), { replace: true, state })
  }
  const close = () => {
    if (named !== null) leave()
    return named === null || state?.from !== 'alerts'
  }
  const show = (widget: WidgetId, next: Period) => {
    choose({ period: next })
    navigate(chartAddress(widget, next), named === null ? { state: FROM_DASHBOARD } : { replace: true, state })
  }

  return (
    <PairList
      {...slot}
      atDesk={atDesk}
      named={named}
      renderChart={(widget, onClose) =>
        period === null ? (
          <ChartWaiting onClose={onClose} />
        ) : (
          <ChartScreen
            widgetId={widget}
            period={period}
            onPeriod={(next) => show(widget, next)}
            turnedAround={sheetAddress}
            onClose={onClose}
          />
        )
      }
      onOpenChart={open}
      onCloseChart={close}
    />
  )
}
