import { useSetAtom } from 'jotai'
import { navigate } from 'wouter/use-browser-location'
import type { Period } from '../domain/chart-periods'
import { ChartWaiting } from '../features/chart/chart-frame'
import { ChartScreen } from '../features/chart/chart-screen'
import { cardFocusAtom } from '../state/card-slot'
import { chartAddress, sheetAddress } from './addresses'
import { useChartAddress } from './use-chart-address'
import { useTitle } from './screen'

/** A chart has an address: it can be linked to, reloaded, and closed with the browser's back button. */
export function ChartRoute() {
  const { named, period, title, state, choose, leave } = useChartAddress()
  const focusCard = useSetAtom(cardFocusAtom)
  useTitle(title)

  const close = () => {
    if (state?.from !== 'alerts') focusCard(named)
    leave()
  }
  if (named === null || period === null) return <ChartWaiting onClose={close} />
  const show = (next: Period) => {
    choose({ period: next })
    navigate(chartAddress(named, next), { replace: true, state })
  }
  return <ChartScreen widgetId={named} period={period} onPeriod={show} turnedAround={sheetAddress} onClose={close} />
}
