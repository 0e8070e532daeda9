import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { authOpenAtom } from '../../state/panels'
import { DASHBOARD } from '../addresses'

/** Where the link of a reset mail leads: to the dialog over the dashboard, with the token out of the address. */
export function ResetPasswordAddress() {
  const token = new URLSearchParams(useSearch()).get('token') ?? ''
  const openAuth = useSetAtom(authOpenAtom)
  useEffect(() => {
    openAuth(token === '' ? { view: 'forgotPassword' } : { view: 'resetPassword', token })
    navigate(DASHBOARD, { replace: true })
  }, [token, openAuth])
  return null
}
