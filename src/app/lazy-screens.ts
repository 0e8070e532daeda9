import { lazy } from 'react'

// Everything the first paint of the dashboard does without.
export const AddPairDialog = lazy(async () => ({
  default: (await import('../features/add-pair/add-pair-dialog')).AddPairDialog,
}))
export const AlertsPage = lazy(async () => ({ default: (await import('../features/alerts/alerts-page')).AlertsPage }))
export const ChangesDialog = lazy(async () => ({
  default: (await import('../features/changes/changes-dialog')).ChangesDialog,
}))
export const ChartScreen = lazy(async () => ({ default: (await import('../features/chart/chart-screen')).ChartScreen }))
export const NotFoundPage = lazy(async () => ({
  default: (await import('../features/not-found/not-found-page')).NotFoundPage,
}))
export const SettingsPage = lazy(async () => ({
  default: (await import('../features/settings/settings-page')).SettingsPage,
}))
export const StatusPage = lazy(async () => ({ default: (await import('../features/status/status-page')).StatusPage }))
