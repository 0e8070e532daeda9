import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Redirect } from 'wouter'
import { accountAtom } from '../../state/account'
import { DASHBOARD } from '../addresses'

/** Sends everybody else to the dashboard, before anything of it is loaded, and as soon as the right is taken away. */
export function SuperusersOnly({ children }: { readonly children: ReactNode }) {
  const account = useAtomValue(accountAtom)
  return account?.user?.is_superuser === true ? children : <Redirect to={DASHBOARD} replace />
}
