import { useAtomValue } from 'jotai'
import { Redirect } from 'wouter'
import { navigate, useHistoryState } from 'wouter/use-browser-location'
import { AUTH_TITLES, AuthForms } from '../../features/auth/auth-forms'
import type { AuthTarget } from '../../features/auth/auth-place'
import { accountAtom } from '../../state/account'
import type { AuthView } from '../../state/overlays'
import { SoloPage } from '../../ui/page'
import { Waiting } from '../../ui/skeleton'
import { CHANGE_PASSWORD, DASHBOARD } from '../addresses'
import { useTitle } from '../screen'

/** History state of the login page. */
export interface LoginState {
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

/** A form as a page of its own; whoever is logged in has no use for it. */
export function AuthPage({ view }: { readonly view: AuthTarget }) {
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
