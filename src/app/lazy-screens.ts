import { lazy } from 'react'
import { optionalComponent } from '../ui/deferred-component'

// Screens, which the first paint of the dashboard does without.
export const AdminScreens = lazy(async () => ({ default: (await import('./admin-screens')).AdminScreens }))
export const AlertsPage = lazy(async () => ({ default: (await import('../features/alerts/alerts-page')).AlertsPage }))
export const ChartRoute = lazy(async () => ({ default: (await import('./chart-route')).ChartRoute }))
export const NotFoundPage = lazy(async () => ({
  default: (await import('../features/not-found/not-found-page')).NotFoundPage,
}))
export const OutsideScreens = lazy(async () => ({
  default: (await import('./outside/outside-screens')).OutsideScreens,
}))
export const PairDesk = optionalComponent(async () => (await import('./pair-desk')).PairDesk)
export const PolicyGate = lazy(async () => ({ default: (await import('./outside/policy-gate')).PolicyGate }))
export const SettingsPage = lazy(async () => ({
  default: (await import('../features/settings/settings-page')).SettingsPage,
}))
export const StatusPage = lazy(async () => ({ default: (await import('../features/status/status-page')).StatusPage }))
