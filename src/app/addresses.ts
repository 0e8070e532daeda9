import type { WidgetId } from '../domain/ids'
import { DEFAULT_PERIOD, type Period } from '../domain/period'

export const DASHBOARD = '/'

export const chartAddress = (widget: WidgetId, period: Period = DEFAULT_PERIOD): string =>
  `/chart/${encodeURIComponent(widget)}/${period}`

/** What stays the same while one screen is shown: a chart's period may change without it being another screen. */
export const screenOf = (path: string): string => {
  const [, first = '', second = ''] = path.split('/')
  return first === 'chart' ? `/chart/${second}` : path
}
