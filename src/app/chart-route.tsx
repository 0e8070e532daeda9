import { useAtomValue, useSetAtom } from 'jotai'
import { useParams } from 'wouter'
import { navigate, useHistoryState } from 'wouter/use-browser-location'
import { findWidget } from '../db/view'
import type { WidgetId } from '../domain/ids'
import { pairLabel } from '../domain/pair'
import { DEFAULT_PERIOD, isPeriod, type Period } from '../domain/period'
import { cardFocusAtom } from '../state/card-focus'
import { boardAtom } from '../state/live-data'
import { chartAddress, DASHBOARD } from './addresses'
import { ChartScreen } from './lazy-screens'
import { useTitle } from './use-title'

/** History state of a chart that was opened from the dashboard: closing it goes back there. */
export const FROM_DASHBOARD = { from: 'dashboard' } as const

/** A chart has an address: it can be linked to, reloaded, and closed with the browser's back button. */
export function ChartRoute() {
  const { widgetId, period: wished = '' } = useParams<{ widgetId: WidgetId; period?: string }>()
  const state = useHistoryState<typeof FROM_DASHBOARD | null>()
  const focusCard = useSetAtom(cardFocusAtom)
  const board = useAtomValue(boardAtom)
  const widget = board && findWidget(board, widgetId)
  useTitle(widget === undefined ? 'Chart' : pairLabel(widget.coinA.symbol, widget.coinB.symbol))

  const close = () => {
    focusCard(widgetId)
    if (state?.from === 'dashboard') history.back()
    else navigate(DASHBOARD, { replace: true })
  }
  const show = (period: Period) => navigate(chartAddress(widgetId, period), { replace: true, state })
  return (
    <ChartScreen
      widgetId={widgetId}
      period={isPeriod(wished) ? wished : DEFAULT_PERIOD}
      onPeriod={show}
      onClose={close}
    />
  )
}
