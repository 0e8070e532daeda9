import type { ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { useAtomValue } from 'jotai'
import type { WidgetId } from '../domain/ids'
import { AUTH_ADDRESSES } from '../features/auth/auth-place'
import { Dashboard } from '../features/dashboard/dashboard'
import { CHANGE_PASSWORD, CHANGE_PASSWORD_ID } from '../domain/app-paths'
import { Shell } from '../features/shell/shell'
import { WidgetCard } from '../features/widget-card/widget-card'
import { accountAtom } from '../state/account'
import { lateComponent, lateDialog } from '../ui/late-component'
import { Waiting } from '../ui/skeleton'
import { useMediaQuery, WIDE } from '../ui/browser-state'
import { ADMIN, chartAddress, DASHBOARD, FROM_ALERTS, FROM_DASHBOARD } from './addresses'
import { ErrorBoundary } from './error-boundary'
import { Screen, ScreenRoute, useIsDesk, useScreenOf } from './screen'

// Screens, which the first paint of the dashboard does without.
const SCREEN = { onFailure: 'throw' } as const
const AdminScreens = lateComponent(async () => (await import('./admin-screens')).AdminScreens, SCREEN)
const AlertsPage = lateComponent(async () => (await import('../features/alerts/alerts-page')).AlertsPage, SCREEN)
const ChartRoute = lateComponent(async () => (await import('./chart-route')).ChartRoute, {
  onFailure: 'throw',
  whileLoading: () => <Waiting>Loading historical data for chart...</Waiting>,
})
const FiguresPage = lateComponent(async () => (await import('../features/figures/figures-page')).FiguresPage, SCREEN)
const NotFoundPage = lateComponent(
  async () => (await import('../features/not-found/not-found-page')).NotFoundPage,
  SCREEN,
)
const PairDesk = lateDialog(async () => (await import('./pair-desk')).PairDesk)
const RadarRoute = lateComponent(async () => (await import('./radar-route')).RadarRoute, SCREEN)
const SettingsPage = lateComponent(
  async () => (await import('../features/settings/settings-page')).SettingsPage,
  SCREEN,
)
const StatusPage = lateComponent(async () => (await import('../features/status/status-page')).StatusPage, SCREEN)
const OperatorPanel = lateComponent(async () => (await import('../features/operator/operator-panel')).OperatorPanel)

// Outside the component: a new function would render every card.
const openChart = (widget: WidgetId) => navigate(chartAddress(widget), { state: FROM_DASHBOARD })
// The address of a chart would show that chart in place of the cards.
const showCards = () => navigate(DASHBOARD, { replace: true })
const chartLink = (widget: WidgetId) => ({ href: chartAddress(widget), state: FROM_ALERTS })

/** Every address inside the shell, and what it shows. */
export function ShellScreens() {
  const [path] = useLocation()
  const isDesk = useIsDesk()
  const dashboard = (
    // At a desk the list names the document, by its open chart.
    <Screen {...(!isDesk && { title: 'Dashboard' })}>
      <Dashboard
        Card={WidgetCard}
        List={PairDesk}
        onOpenChart={openChart}
        onCards={showCards}
        Operator={OperatorSlot}
      />
    </Screen>
  )
  return (
    <Shell>
      <ErrorBoundary key={useScreenOf()(path)} within="shell">
        <Switch>
          <Route path={DASHBOARD}>{dashboard}</Route>
          <Route path="/chart/:widgetId/:period?">
            {isDesk ? (
              dashboard
            ) : (
              <Screen>
                <ChartRoute />
              </Screen>
            )}
          </Route>
          <ScreenRoute path="/radar/*?">
            <RadarRoute />
          </ScreenRoute>
          <ScreenRoute path="/alerts" title="Alerts">
            <AlertsPage chartLink={chartLink} />
          </ScreenRoute>
          <ScreenRoute path="/status" title="Status">
            <StatusPage />
          </ScreenRoute>
          <ScreenRoute path="/figures" title="What the figures mean">
            <FiguresPage />
          </ScreenRoute>
          <ScreenRoute path="/settings" title="Settings">
            <SettingsRoute />
          </ScreenRoute>
          <Route path={`${ADMIN}/*?`}>
            <SuperusersOnly>
              <Screen>
                <AdminScreens />
              </Screen>
            </SuperusersOnly>
          </Route>
          <ScreenRoute title="Not found">
            <NotFoundPage />
          </ScreenRoute>
        </Switch>
      </ErrorBoundary>
    </Shell>
  )
}

/** The settings. A guest whom a password manager sends there to change a password logs in first, and comes back. */
function SettingsRoute() {
  const account = useAtomValue(accountAtom)
  if (account?.user === null && location.hash === `#${CHANGE_PASSWORD_ID}`) {
    return <Redirect to={AUTH_ADDRESSES.login} replace state={{ back: CHANGE_PASSWORD }} />
  }
  return <SettingsPage />
}

/** The superuser panel, on screens that have room for it; other users do not load its code. */
export function OperatorSlot() {
  const wide = useMediaQuery(WIDE)
  const isSuperuser = useAtomValue(accountAtom)?.user?.is_superuser === true
  return wide && isSuperuser ? <OperatorPanel /> : null
}

/** Sends other users to the dashboard before they load any of the code, and a superuser who loses the right at once. */
function SuperusersOnly({ children }: { readonly children: ReactNode }) {
  const account = useAtomValue(accountAtom)
  return account?.user?.is_superuser === true ? children : <Redirect to={DASHBOARD} replace />
}
