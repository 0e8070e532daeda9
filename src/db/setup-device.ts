import { PAIR_ORDERS } from '../domain/pair-order'
import { isPeriod } from '../domain/period'
import type { SetupDevice } from '../domain/setup-file'
import type { LocalDatabase } from './database'
import { readMeta } from './queries/meta'
import type { MetaRows } from './rows'

type ChartChoices = MetaRows['chart_choices']

/** How this device draws charts and lists pairs, for a setup's file; without what the user has never chosen. */
export async function readViewSettings(db: LocalDatabase): Promise<SetupDevice> {
  const [charts, dashboard] = await Promise.all([readMeta(db, 'chart_choices'), readMeta(db, 'dashboard')])
  return {
    ...(charts !== undefined && { chart_average: charts.average, chart_bands: charts.bands }),
    ...(charts !== undefined && charts.period !== null && { chart_period: charts.period }),
    ...(dashboard !== undefined && {
      dashboard_view: dashboard.view,
      dashboard_order: dashboard.order,
      dashboard_keys: dashboard.keys,
    }),
  }
}

/** A setup's choices for charts; null: nothing that this version knows. */
export function chartChoicesOf({ chart_average, chart_bands, chart_period }: SetupDevice): ChartChoices | null {
  if (typeof chart_average !== 'boolean' || typeof chart_bands !== 'boolean') return null
  const period = typeof chart_period === 'string' && isPeriod(chart_period) ? chart_period : null
  return { average: chart_average, bands: chart_bands, period }
}

/** A setup's choices for the dashboard; null: nothing that this version knows. */
export function dashboardChoiceOf(device: SetupDevice): MetaRows['dashboard'] | null {
  const { dashboard_view: view, dashboard_keys: keys } = device
  const order = PAIR_ORDERS.find((one) => one === device['dashboard_order'])
  const isKnown = (view === 'cards' || view === 'list') && order !== undefined && typeof keys === 'boolean'
  return isKnown ? { view, order, keys } : null
}
