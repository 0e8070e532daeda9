import { Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import type { WidgetId } from '../domain/ids'
import { Dashboard } from '../features/dashboard/dashboard'
import { Shell } from '../features/shell/shell'
import { WidgetCard } from '../features/widget-card/widget-card'
import { Waiting } from '../ui/waiting'
import { ADMIN, chartAddress, DASHBOARD, FROM_ALERTS, FROM_DASHBOARD } from './addresses'
import { SuperusersOnly } from './admin/superusers-only'
import { ErrorBoundary } from './error-boundary'
import { AdminScreens, AlertsPage, ChartRoute, NotFoundPage, PairDesk, StatusPage } from './lazy-screens'
import { OperatorSlot } from './operator-slot'
import { FedScreen, Screen } from './screen'
import { SettingsRoute } from './settings-route'
import { useIsDesk, useScreenOf } from './use-screen'

// Outside the component: a new function would render every card.
const openChart = (widget: WidgetId) => navigate(chartAddress(widget), { state: FROM_DASHBOARD })
// The address of a chart would show that chart in place of the cards.
const showCards = () => navigate(DASHBOARD, { replace: true })
const chartLink = (widget: WidgetId) => ({ href: chartAddress(widget), state: FROM_ALERTS })

interface ShellScreensProps {
  readonly onOpenChanges: () => void
}

/** Every address inside the shell, and what it shows. */
export function ShellScreens({ onOpenChanges }: ShellScreensProps) {
  const [path] = useLocation()
  const isDesk = useIsDesk()
  const dashboard = (
    // At a desk the list knows whether a chart is open, and names the document.
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
    <Shell onOpenChanges={onOpenChanges}>
      <ErrorBoundary key={useScreenOf()(path)} within="shell">
        <Suspense>
          <Switch>
            <Route path={DASHBOARD}>{dashboard}</Route>
            <Route path="/chart/:widgetId/:period?">
              {isDesk ? (
                dashboard
              ) : (
                <FedScreen>
                  <Suspense fallback={<Waiting>Loading historical data for chart...</Waiting>}>
                    <ChartRoute />
                  </Suspense>
                </FedScreen>
              )}
            </Route>
            <Route path="/alerts">
              <FedScreen title="Alerts">
                <AlertsPage chartLink={chartLink} />
              </FedScreen>
            </Route>
            <Route path="/status">
              <FedScreen title="Status">
                <StatusPage />
              </FedScreen>
            </Route>
            <Route path="/settings">
              <FedScreen title="Settings">
                <SettingsRoute />
              </FedScreen>
            </Route>
            <Route path={`${ADMIN}/*?`}>
              <SuperusersOnly>
                <FedScreen>
                  <AdminScreens />
                </FedScreen>
              </SuperusersOnly>
            </Route>
            <Route>
              <FedScreen title="Not found">
                <NotFoundPage />
              </FedScreen>
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Shell>
  )
}
