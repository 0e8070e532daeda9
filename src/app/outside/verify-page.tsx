import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { AUTH_ADDRESSES } from '../../features/auth/auth-place'
import { VerifyEmail } from '../../features/auth/verify-email'
import { SoloPage } from '../../ui/solo-page'
import { useTitle } from '../use-title'

const toLogin = () => navigate(AUTH_ADDRESSES.login, { replace: true })

/** Where the link of a verification mail leads. */
export function VerifyPage() {
  const token = new URLSearchParams(useSearch()).get('token')
  useTitle('Verify Email')
  return (
    <SoloPage title="Verify Email">
      <VerifyEmail token={token === '' ? null : token} onDone={toLogin} />
    </SoloPage>
  )
}
