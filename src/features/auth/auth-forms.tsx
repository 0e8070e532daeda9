import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { AuthView } from '../../state/open-dialogs'
import { Dialog } from '../../ui/dialog'
import { AccountForm } from './account-form'
import { type AuthPlace, AuthPlaceContext } from './auth-place'
import { ForgotPasswordForm, ResetPasswordForm } from './reset-password-form'

export const AUTH_TITLES = {
  login: 'Log In',
  register: 'Register',
  forgotPassword: 'Forgot Password',
  resetPassword: 'Reset Password',
} as const satisfies Record<AuthView['view'], string>

interface AuthFormsProps {
  readonly view: AuthView
  /** Called once the user has logged in. */
  readonly onDone: () => void
}

/** The form that a view stands for. */
export function AuthForms({ view, onDone }: AuthFormsProps) {
  switch (view.view) {
    case 'login':
    case 'register':
      return <AccountForm view={view} onDone={onDone} />
    case 'forgotPassword':
      return <ForgotPasswordForm />
    case 'resetPassword':
      return <ResetPasswordForm token={view.token} />
  }
}

interface AuthDialogProps {
  readonly view: AuthView
  readonly onView: (view: AuthView) => void
  readonly onClose: () => void
}

/** The forms over the current screen; their links change the dialog's view. */
export function AuthDialog({ view, onView, onClose }: AuthDialogProps) {
  const place = useMemo((): AuthPlace => ({ kind: 'dialog', show: (target) => onView({ view: target }) }), [onView])
  return (
    <Dialog title={AUTH_TITLES[view.view]} size="sm" onClose={onClose}>
      <AuthPlaceContext value={place}>
        {/* One form logs in and registers, and keeps what was typed. */}
        <Focused key={view.view === 'register' ? 'login' : view.view}>
          <AuthForms view={view} onDone={onClose} />
        </Focused>
      </AuthPlaceContext>
    </Dialog>
  )
}

/** Focuses the form's first field: the dialog itself does so only when it opens, and stays while its views change. */
function Focused({ children }: { readonly children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => ref.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return <div ref={ref}>{children}</div>
}
