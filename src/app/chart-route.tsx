import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { useParams } from 'wouter'
import { navigate, useHistoryState } from 'wouter/use-browser-location'
import { findWidget } from '../db/view'
import { DEFAULT_PERIOD } from '../domain/default-period'
import type { WidgetId } from '../domain/ids'
import { pairLabel } from '../domain/pair'
import { isPeriod, type Period } from '../domain/period'
import { ChartScreen, ChartWaiting } from '../features/chart/chart-screen'
import { cardFocusAtom } from '../state/card-focus'
import { useChartChoices } from '../state/chart-choices'
import { boardAtom } from '../state/live-data'
import { chartAddress, DASHBOARD, type FROM_ALERTS, type FROM_DASHBOARD } from './addresses'
import { useTitle } from './use-title'

/** A chart has an address: it can be linked to, reloaded, and closed with the browser's back button. */
export function ChartRoute() {
  const { widgetId, period: wished = '' } = useParams<{ widgetId: WidgetId; period?: string }>()
  const state = useHistoryState<typeof FROM_ALERTS | typeof FROM_DASHBOARD | null>()
  const focusCard = useSetAtom(cardFocusAtom)
  const { choices, choose } = useChartChoices()
  const board = useAtomValue(boardAtom)
  const widget = board && findWidget(board, widgetId)
  useTitle(widget === undefined ? 'Chart' : pairLabel(widget.coinA.symbol, widget.coinB.symbol))

  const remembered = choices === undefined ? null : isPeriod(choices.period ?? '') ? choices.period : DEFAULT_PERIOD
  const period = isPeriod(wished) ? wished : remembered
  // The address says what is shown, so that it can be reloaded and sent on.
  useEffect(() => {
    if (period !== null && period !== wished) navigate(chartAddress(widgetId, period), { replace: true, state })
  }, [widgetId, period, wished, state])

  const close = () => {
    if (state?.from !== 'alerts') focusCard(widgetId)
    if (state?.from === undefined) navigate(DASHBOARD, { replace: true })
    else history.back()
  }
  const show = (next: Period) => {
    choose({ period: next })
    navigate(chartAddress(widgetId, next), { replace: true, state })
  }
  if (period === null) return <ChartWaiting onClose={close} />
  return <ChartScreen widgetId={widgetId} period={period} onPeriod={show} onClose={close} />
}
