import type { AuthView } from '../../state/overlays'
import { LoginForm } from './login-form'
import { RegisterForm } from './register-form'
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
      return <LoginForm notice={view.notice} problem={view.problem} onDone={onDone} />
    case 'register':
      return <RegisterForm />
    case 'forgotPassword':
      return <ForgotPasswordForm />
    case 'resetPassword':
      return <ResetPasswordForm token={view.token} />
  }
}
