import { createContext, use } from 'react'
import type { AuthView } from '../../state/panels'

/** What one view leads to; to reset a password, the link of a mail is needed. */
export type AuthTarget = Exclude<AuthView['view'], 'resetPassword'>

/** Where the forms stand: on pages with addresses, or in the dialog over whatever is open. */
export type AuthPlace =
  { readonly kind: 'page' } | { readonly kind: 'dialog'; readonly show: (target: AuthTarget) => void }

export const AUTH_ADDRESSES = {
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
} as const satisfies Record<AuthTarget, string>

export const AuthPlaceContext = createContext<AuthPlace>({ kind: 'page' })

export const useAuthPlace = (): AuthPlace => use(AuthPlaceContext)
