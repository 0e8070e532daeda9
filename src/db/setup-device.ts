import { isPeriod } from '../domain/period'
import type { SetupDevice } from '../domain/setup-file'
import type { LocalDatabase } from './database'
import { readMeta } from './queries/meta'
import type { MetaRows } from './rows'

type ChartChoices = MetaRows['chart_choices']

/** How this device draws charts, for a setup's file; empty where the user has never chosen. */
export async function readChartSettings(db: LocalDatabase): Promise<SetupDevice> {
  const choices = await readMeta(db, 'chart_choices')
  if (choices === undefined) return {}
  const { average, bands, period } = choices
  return { chart_average: average, chart_bands: bands, ...(period !== null && { chart_period: period }) }
}

/** What a setup says of charts; null: nothing that this version knows. */
export function chartChoicesOf({ chart_average, chart_bands, chart_period }: SetupDevice): ChartChoices | null {
  if (typeof chart_average !== 'boolean' || typeof chart_bands !== 'boolean') return null
  const period = typeof chart_period === 'string' && isPeriod(chart_period) ? chart_period : null
  return { average: chart_average, bands: chart_bands, period }
}
