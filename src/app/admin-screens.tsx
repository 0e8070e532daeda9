import { Redirect, Route, Switch } from 'wouter'
import { AUDIT_LOG, USERS } from '../features/admin/admin-page'
import { AuditPage } from '../features/admin/audit-page'
import { UserPage } from '../features/admin/user-page'
import { UsersPage } from '../features/admin/users-page'
import { NotFoundPage } from '../features/not-found/not-found-page'
import { ADMIN } from './addresses'
import { Screen, ScreenRoute } from './screen'

/** Screens below /admin, for superusers. */
export const AdminScreens = () => (
  <Switch>
    <Route path={ADMIN}>
      <Redirect to={USERS} replace />
    </Route>
    <ScreenRoute path={USERS} title="Users">
      <UsersPage />
    </ScreenRoute>
    <Route path={`${USERS}/:id`}>
      {({ id }) => (
        // No address in the title: the browser's history would keep it.
        <Screen title="User">
          <UserPage key={id} id={id} />
        </Screen>
      )}
    </Route>
    <ScreenRoute path={AUDIT_LOG} title="Audit log">
      <AuditPage />
    </ScreenRoute>
    <ScreenRoute title="Not found">
      <NotFoundPage />
    </ScreenRoute>
  </Switch>
)
