import { useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useEffect } from 'react'
import { Redirect, Route, Switch, useSearch } from 'wouter'
import { navigate, useHistoryState } from 'wouter/use-browser-location'
import { AUTH_TITLES, AuthForms } from '../../features/auth/auth-forms'
import { AUTH_ADDRESSES, type AuthTarget } from '../../features/auth/auth-place'
import { GoogleCallback } from '../../features/auth/google-sign-in'
import { RemovePasskey } from '../../features/auth/remove-passkey'
import { VerifyEmail } from '../../features/auth/verify-email'
import { CheckoutCanceledPage, CheckoutSuccessPage } from '../../features/billing/checkout-pages'
import { accountAtom } from '../../state/account'
import { type AuthView, openDialogAtom } from '../../state/open-dialogs'
import { showToastAtom } from '../../state/toasts'
import { SoloPage } from '../../ui/page'
import { Waiting } from '../../ui/skeleton'
import { CHANGE_PASSWORD } from '../../domain/app-paths'
import { DASHBOARD } from '../addresses'
import { ScreenRoute, useTitle } from '../screen'
import { OutsideFrame } from './outside-frame'

/** Pages at the addresses outside the shell. */
export const OutsideScreens = () => (
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
      <Route path="/remove-passkey">
        <RemovePasskeyPage />
      </Route>
      <Route path="/auth/google/callback">
        <GooglePage />
      </Route>
      <ScreenRoute path="/checkout-success" title="Thank you">
        <CheckoutSuccessPage />
      </ScreenRoute>
      <ScreenRoute path="/checkout-canceled" title="Subscription canceled">
        <CheckoutCanceledPage />
      </ScreenRoute>
      <Route>
        <Redirect to={DASHBOARD} replace />
      </Route>
    </Switch>
  </OutsideFrame>
)

const toDashboard = () => navigate(DASHBOARD, { replace: true })

/** Address to which Google sends users back. */
function GooglePage() {
  const answer = new URLSearchParams(useSearch())
  const showToast = useSetAtom(showToastAtom)
  useTitle('Google Login')

  const toLogin = useCallback(
    (problem: string) => {
      showToast({ kind: 'error', message: problem })
      navigate(AUTH_ADDRESSES.login, { replace: true, state: { problem } satisfies LoginState })
    },
    [showToast],
  )
  const toOrigin = useCallback(
    (back: string, ok: boolean, message: string) => {
      showToast({ kind: ok ? 'success' : 'error', message })
      navigate(back.startsWith('/') && !back.startsWith('//') ? back : DASHBOARD, { replace: true })
    },
    [showToast],
  )
  return (
    <SoloPage title="Google Login">
      <GoogleCallback answer={answer} onDone={toDashboard} onFailed={toLogin} onErrand={toOrigin} />
    </SoloPage>
  )
}

/** Target of the link in a reset mail: the dialog over the dashboard, with the token out of the address. */
function ResetPasswordAddress() {
  const token = new URLSearchParams(useSearch()).get('token') ?? ''
  const openDialog = useSetAtom(openDialogAtom)
  useEffect(() => {
    openDialog({ kind: 'auth', ...(token === '' ? { view: 'forgotPassword' } : { view: 'resetPassword', token }) })
    navigate(DASHBOARD, { replace: true })
  }, [token, openDialog])
  return null
}

const toLogin = () => navigate(AUTH_ADDRESSES.login, { replace: true })

/** Target of the link in a verification mail. */
function VerifyPage() {
  const token = new URLSearchParams(useSearch()).get('token')
  useTitle('Verify Email')
  return (
    <SoloPage title="Verify Email">
      <VerifyEmail token={token === '' ? null : token} onDone={toLogin} />
    </SoloPage>
  )
}

/** Target of the link in the mail that tells of a new passkey. */
function RemovePasskeyPage() {
  const token = new URLSearchParams(useSearch()).get('token')
  useTitle('Remove Passkey')
  return (
    <SoloPage title="Remove Passkey">
      <RemovePasskey token={token === '' ? null : token} />
    </SoloPage>
  )
}

/** History state of the login page. */
interface LoginState {
  /** The problem that has kept the user out. */
  readonly problem?: string
  /** A login leads to this address; absent: to the dashboard. */
  readonly back?: typeof CHANGE_PASSWORD
}

const LEADS = {
  login: 'Your pairs and alerts, on every device.',
  register: 'Free, and the same on every device.',
  forgotPassword: undefined,
} as const satisfies Record<AuthTarget, string | undefined>

/** A form as a page of its own; a user who is logged in is sent on. */
function AuthPage({ view }: { readonly view: AuthTarget }) {
  const account = useAtomValue(accountAtom)
  const state = useHistoryState<LoginState | null>()
  useTitle(AUTH_TITLES[view])
  const target = state?.back === CHANGE_PASSWORD ? CHANGE_PASSWORD : DASHBOARD

  if (account === undefined) return <Waiting>Loading session...</Waiting>
  if (account.user !== null && !account.expired) return <Redirect to={target} replace />
  const shown: AuthView = view === 'login' && state?.problem !== undefined ? { view, problem: state.problem } : { view }
  const lead = LEADS[view]
  return (
    <SoloPage title={AUTH_TITLES[view]} {...(lead !== undefined && { lead })}>
      <AuthForms view={shown} onDone={() => navigate(target, { replace: true })} />
    </SoloPage>
  )
}
