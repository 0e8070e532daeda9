import { navigate } from 'wouter/use-browser-location'
import type { WidgetId } from '../domain/ids'
import { ALERTS, chartAddress, DASHBOARD, FROM_ALERTS, FROM_DASHBOARD, screenOf } from './addresses'

/** Closing the chart goes back to these. */
const ORIGINS: Readonly<Record<string, object>> = { [ALERTS]: FROM_ALERTS, [DASHBOARD]: FROM_DASHBOARD }

/** Leads from wherever the user is to a pair's chart; one that is shown already keeps its period. */
export function showChart(widget: WidgetId): void {
  const address = chartAddress(widget)
  const { pathname } = location
  if (screenOf(pathname) === screenOf(address)) return
  navigate(address, { state: ORIGINS[pathname] ?? null })
}
