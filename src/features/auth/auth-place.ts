import { createContext, use } from 'react'
import type { AuthView } from '../../state/overlays'

/** Views that one view leads to; resetting a password needs the link of a mail. */
export type AuthTarget = Exclude<AuthView['view'], 'resetPassword'>

/** Place of the forms: pages with addresses, or the dialog over the current screen. */
export type AuthPlace =
  { readonly kind: 'page' } | { readonly kind: 'dialog'; readonly show: (target: AuthTarget) => void }

export const AUTH_ADDRESSES = {
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
} as const satisfies Record<AuthTarget, string>

export const AuthPlaceContext = createContext<AuthPlace>({ kind: 'page' })

export const useAuthPlace = (): AuthPlace => use(AuthPlaceContext)
