import { Redirect, Route, Switch } from 'wouter'
import { CheckoutCanceledPage, CheckoutSuccessPage } from '../../features/billing/checkout-pages'
import { DASHBOARD } from '../addresses'
import { AuthPage } from './auth-page'
import { GooglePage } from './google-page'
import { Screen } from '../screen'
import { OutsideFrame } from './outside-frame'
import { ResetPasswordAddress } from './reset-password-address'
import { VerifyPage } from './verify-page'

/** What stands at the addresses outside the shell. */
export function OutsideScreens() {
  return (
    <OutsideFrame>
      <Switch>
        <Route path="/login">
          <AuthPage view="login" />
        </Route>
        <Route path="/register">
          <AuthPage view="register" />
        </Route>
        <Route path="/forgot-password">
          <AuthPage view="forgotPassword" />
        </Route>
        <Route path="/verify-email">
          <VerifyPage />
        </Route>
        <Route path="/reset-password">
          <ResetPasswordAddress />
        </Route>
        <Route path="/auth/google/callback">
          <GooglePage />
        </Route>
        <Route path="/checkout-success">
          <Screen title="Thank you">
            <CheckoutSuccessPage />
          </Screen>
        </Route>
        <Route path="/checkout-canceled">
          <Screen title="Subscription canceled">
            <CheckoutCanceledPage />
          </Screen>
        </Route>
        <Route>
          <Redirect to={DASHBOARD} replace />
        </Route>
      </Switch>
    </OutsideFrame>
  )
}
