import { chartPath } from '../domain/app-paths'
import type { CoinId, WidgetId } from '../domain/ids'
import type { Period } from '../domain/chart-periods'

export const DASHBOARD = '/'
export const ALERTS = '/alerts'
export const ADMIN = '/admin'
export const RADAR = '/radar'
/** Pattern of the sheets of pairs. */
export const PAIR_SHEET = `${RADAR}/:coinA/:coinB/:period?`

/** History state of a chart that was opened from the dashboard: closing it goes back there. */
export const FROM_DASHBOARD = { from: 'dashboard' } as const
/** The same for the list of alerts. */
export const FROM_ALERTS = { from: 'alerts' } as const

/** History state of a pair's sheet that was opened from Radar: closing it goes back there. */
export const FROM_RADAR = { from: 'radar' } as const

/** Without a period the chart opens with the user's last one. */
export const chartAddress = (widget: WidgetId, period?: Period): string =>
  period === undefined ? chartPath(widget) : `${chartPath(widget)}/${period}`

/** The sheet of a pair; without a period and window it begins with those of a first look. */
export const sheetAddress = (
  coinA: CoinId,
  coinB: CoinId,
  shown?: { readonly period: Period; readonly window: number },
): string => {
  const sheet = `${RADAR}/${encodeURIComponent(coinA)}/${encodeURIComponent(coinB)}`
  return shown === undefined ? sheet : `${sheet}/${shown.period}?window=${shown.window}`
}

/** Key of a screen: another period of a chart is the same screen, and so is a pair turned around. */
export const screenOf = (path: string): string => {
  const [, first = '', second = '', third] = path.split('/')
  if (first === 'radar' && third !== undefined) return `/radar/${[second, third].toSorted().join('/')}`
  return first === 'chart' ? `/chart/${second}` : path
}

/** Addresses whose screens stand outside the shell. */
export const OUTSIDE: readonly string[] = [
  '/login',
  '/register',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
  '/remove-passkey',
  '/auth/google/callback',
  '/checkout-success',
  '/checkout-canceled',
]

export const isOutside = (path: string): boolean => OUTSIDE.includes(path)
