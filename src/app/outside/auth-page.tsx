import { useAtomValue } from 'jotai'
import { Redirect } from 'wouter'
import { navigate, useHistoryState } from 'wouter/use-browser-location'
import { AUTH_TITLES, AuthForms } from '../../features/auth/auth-forms'
import type { AuthTarget } from '../../features/auth/auth-place'
import { accountAtom } from '../../state/account'
import type { AuthView } from '../../state/panels'
import { SoloPage } from '../../ui/solo-page'
import { Waiting } from '../../ui/waiting'
import { DASHBOARD } from '../addresses'
import { useTitle } from '../use-title'

/** History state of the login page: what has kept somebody out. */
export interface LoginState {
  readonly problem: string
}

const LEADS = {
  login: 'Your pairs and alerts, on every device.',
  register: 'Free, and the same on every device.',
  forgotPassword: undefined,
} as const satisfies Record<AuthTarget, string | undefined>

const toDashboard = () => navigate(DASHBOARD, { replace: true })

/** A form as a page of its own; whoever is logged in has no use for it. */
export function AuthPage({ view }: { readonly view: AuthTarget }) {
  const account = useAtomValue(accountAtom)
  const state = useHistoryState<LoginState | null>()
  useTitle(AUTH_TITLES[view])

  if (account === undefined) return <Waiting>Loading session...</Waiting>
  if (account.user !== null && !account.expired) return <Redirect to={DASHBOARD} replace />
  const shown: AuthView = view === 'login' && state !== null ? { view, problem: state.problem } : { view }
  const lead = LEADS[view]
  return (
    <SoloPage title={AUTH_TITLES[view]} {...(lead !== undefined && { lead })}>
      <AuthForms view={shown} onDone={toDashboard} />
    </SoloPage>
  )
}
