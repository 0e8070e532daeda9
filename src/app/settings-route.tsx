import { useAtomValue } from 'jotai'
import { Redirect } from 'wouter'
import { AUTH_ADDRESSES } from '../features/auth/auth-place'
import { CHANGE_PASSWORD_ID } from '../features/settings/change-password-id'
import { accountAtom } from '../state/account'
import { CHANGE_PASSWORD } from './addresses'
import { SettingsPage } from './lazy-screens'

/** The settings. A guest whom a password manager sends there to change a password logs in first, and comes back. */
export function SettingsRoute() {
  const account = useAtomValue(accountAtom)
  if (account?.user === null && location.hash === `#${CHANGE_PASSWORD_ID}`) {
    return <Redirect to={AUTH_ADDRESSES.login} replace state={{ back: CHANGE_PASSWORD }} />
  }
  return <SettingsPage />
}
