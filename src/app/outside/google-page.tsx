import { useSetAtom } from 'jotai'
import { useCallback } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { AUTH_ADDRESSES } from '../../features/auth/auth-place'
import { GoogleCallback } from '../../features/auth/google-callback'
import { showToastAtom } from '../../state/toasts'
import { SoloPage } from '../../ui/solo-page'
import { DASHBOARD } from '../addresses'
import { useTitle } from '../use-title'
import type { LoginState } from './auth-page'

const toDashboard = () => navigate(DASHBOARD, { replace: true })

/** Where Google sends people back to. */
export function GooglePage() {
  const answer = new URLSearchParams(useSearch())
  const showToast = useSetAtom(showToastAtom)
  useTitle('Google Login')

  const toLogin = useCallback(
    (problem: string) => {
      showToast({ type: 'error', message: problem })
      navigate(AUTH_ADDRESSES.login, { replace: true, state: { problem } satisfies LoginState })
    },
    [showToast],
  )
  const toOrigin = useCallback(
    (back: string, ok: boolean, message: string) => {
      showToast({ type: ok ? 'success' : 'error', message })
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
