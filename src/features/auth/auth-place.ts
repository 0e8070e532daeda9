import { createContext, use } from 'react'
import type { AuthView } from '../../state/open-dialogs'

/** Views that a link of the forms leads to; only the link in a mail leads to the reset of a password. */
export type AuthTarget = Exclude<AuthView['view'], 'resetPassword'>

/** The forms stand on pages with addresses, or in the dialog over the current screen. */
export type AuthPlace =
  | { readonly kind: 'page' }
  | { readonly kind: 'dialog'; readonly show: (target: AuthTarget) => void }

export const AUTH_ADDRESSES = {
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
} as const satisfies Record<AuthTarget, string>

export const AuthPlaceContext = createContext<AuthPlace>({ kind: 'page' })

export const useAuthPlace = (): AuthPlace => use(AuthPlaceContext)
