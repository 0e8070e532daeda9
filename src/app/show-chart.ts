import { navigate } from 'wouter/use-browser-location'
import type { WidgetId } from '../domain/ids'
import { ALERTS, chartAddress, DASHBOARD, FROM_ALERTS, FROM_DASHBOARD, screenOf } from './addresses'

/** History state by the path of the screen that closing the chart goes back to. */
const ORIGINS: Readonly<Record<string, object>> = { [ALERTS]: FROM_ALERTS, [DASHBOARD]: FROM_DASHBOARD }

/** Leads the user from any screen to a pair's chart; a chart on the screen keeps its period. */
export function showChart(widget: WidgetId): void {
  const address = chartAddress(widget)
  const { pathname } = location
  if (screenOf(pathname) === screenOf(address)) return
  navigate(address, { state: ORIGINS[pathname] ?? null })
}
