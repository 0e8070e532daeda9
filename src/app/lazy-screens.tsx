import { lazyScreen, optionalComponent } from '../ui/deferred-component'
import { Waiting } from '../ui/skeleton'

// Screens, which the first paint of the dashboard does without.
export const LazyAdminScreens = lazyScreen(async () => (await import('./admin-screens')).AdminScreens)
export const LazyAlertsPage = lazyScreen(async () => (await import('../features/alerts/alerts-page')).AlertsPage)
export const LazyChartRoute = lazyScreen(
  async () => (await import('./chart-route')).ChartRoute,
  () => <Waiting>Loading historical data for chart...</Waiting>,
)
export const LazyFiguresPage = lazyScreen(async () => (await import('../features/figures/figures-page')).FiguresPage)
export const LazyNotFoundPage = lazyScreen(
  async () => (await import('../features/not-found/not-found-page')).NotFoundPage,
)
export const LazyOutsideScreens = lazyScreen(async () => (await import('./outside/outside-screens')).OutsideScreens)
export const LazyPairDesk = optionalComponent(async () => (await import('./pair-desk')).PairDesk)
export const LazyPolicyGate = lazyScreen(async () => (await import('./outside/policy-gate')).PolicyGate)
export const LazyRadarRoute = lazyScreen(async () => (await import('./radar-route')).RadarRoute)
export const LazySettingsPage = lazyScreen(
  async () => (await import('../features/settings/settings-page')).SettingsPage,
)
export const LazyStatusPage = lazyScreen(async () => (await import('../features/status/status-page')).StatusPage)
