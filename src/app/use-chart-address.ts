import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { useRoute } from 'wouter'
import { navigate, useHistoryState } from 'wouter/use-browser-location'
import { findWidget } from '../db/view'
import { DEFAULT_PERIOD, isPeriod } from '../domain/chart-periods'
import type { WidgetId } from '../domain/ids'
import { pairLabel } from '../domain/pair'
import { useChartChoices } from '../state/chart-choices'
import { boardAtom } from '../state/live-data'
import { chartAddress, DASHBOARD, type FROM_ALERTS, type FROM_DASHBOARD } from './addresses'

/**
 * The chart that the address names, and how the user leaves it. An address without a period stands for the last one shown.
 * @param isShown false while the address's chart is not on the screen
 */
export function useChartAddress(isShown = true) {
  const [, address] = useRoute<{ widgetId: WidgetId; period?: string }>('/chart/:widgetId/:period?')
  const addressed = address?.period ?? ''
  const state = useHistoryState<typeof FROM_ALERTS | typeof FROM_DASHBOARD | null>()
  /** Null if the address names no chart. */
  const named = address?.widgetId ?? null
  const { choices, choose } = useChartChoices()
  const remembered = choices === undefined ? null : isPeriod(choices.period ?? '') ? choices.period : DEFAULT_PERIOD
  /** Null until this device's last choice is read. */
  const period = isPeriod(addressed) ? addressed : remembered
  const board = useAtomValue(boardAtom)
  const widget = named && board && findWidget(board, named)
  const title = widget ? pairLabel(widget.coinA.symbol, widget.coinB.symbol) : 'Chart'

  // Completes the address with the period, so that the user can reload it and send it on.
  const incomplete = isShown && addressed !== period ? named : null
  useEffect(() => {
    if (incomplete !== null && period !== null) navigate(chartAddress(incomplete, period), { replace: true, state })
  }, [incomplete, period, state])

  const leave = () => {
    if (state?.from === undefined) navigate(DASHBOARD, { replace: true })
    else history.back()
  }
  return { named, period, title, state, choose, leave }
}
