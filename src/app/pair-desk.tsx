import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { useRoute } from 'wouter'
import { navigate, useHistoryState } from 'wouter/use-browser-location'
import { findWidget } from '../db/view'
import { DEFAULT_PERIOD } from '../domain/default-period'
import type { WidgetId } from '../domain/ids'
import { pairLabel } from '../domain/pair'
import { isPeriod, type Period } from '../domain/period'
import { PairList } from '../features/widget-card/list/pair-list'
import type { ListSlot } from '../state/card-slot'
import { useChartChoices } from '../state/chart-choices'
import { boardAtom } from '../state/live-data'
import { lazyPart } from '../ui/lazy-part'
import { DESK, useMediaQuery } from '../ui/use-media-query'
import { chartAddress, DASHBOARD, FROM_DASHBOARD } from './addresses'
import { useTitle } from './use-title'

const ChartScreen = lazyPart(async () => (await import('../features/chart/chart-screen')).ChartScreen)

/** The list of pairs; at a desk with the chart of the address, or of the first pair, beside it. */
export function PairDesk({ onOpenChart, ...slot }: ListSlot) {
  const atDesk = useMediaQuery(DESK)
  // The chart that the address names; without a period it leaves that to what was shown last.
  const [, address] = useRoute<{ widgetId: WidgetId; period?: string }>('/chart/:widgetId/:period?')
  const said = address?.period ?? ''
  const state = useHistoryState<{ readonly from?: string } | null>()
  const named = address?.widgetId ?? null
  const { choices, choose } = useChartChoices()
  const remembered = choices === undefined ? null : isPeriod(choices.period ?? '') ? choices.period : DEFAULT_PERIOD
  // Null until this device's last choice is read.
  const period = isPeriod(said) ? said : remembered
  const board = useAtomValue(boardAtom)
  const widget = named && board && findWidget(board, named)
  const title = named === null ? 'Dashboard' : widget ? pairLabel(widget.coinA.symbol, widget.coinB.symbol) : 'Chart'
  useTitle(atDesk ? title : undefined)

  // Opening another pair's chart beside the list takes the place of the one before: one step back leads to the list.
  const open = (widget: WidgetId) => {
    if (named === null) onOpenChart(widget)
    else navigate(chartAddress(widget, period ?? undefined), { replace: true, state })
  }
  const close = () => {
    if (named === null) return
    if (state?.from === undefined) navigate(DASHBOARD, { replace: true })
    else history.back()
  }
  const show = (widget: WidgetId, next: Period) => {
    choose({ period: next })
    navigate(chartAddress(widget, next), named === null ? { state: FROM_DASHBOARD } : { replace: true, state })
  }
  // The address says what is shown, so that it can be reloaded and sent on.
  const unsaid = atDesk && said !== period ? named : null
  useEffect(() => {
    if (unsaid !== null && period !== null) navigate(chartAddress(unsaid, period), { replace: true, state })
  }, [unsaid, period, state])

  return (
    <PairList
      {...slot}
      atDesk={atDesk}
      named={named}
      renderChart={(widget, onClose) =>
        period !== null && (
          <ChartScreen widgetId={widget} period={period} onPeriod={(next) => show(widget, next)} onClose={onClose} />
        )
      }
      onOpenChart={open}
      onCloseChart={close}
    />
  )
}
