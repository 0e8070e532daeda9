import { useState } from 'react'
import type { CallFailure } from '../../db/call'
import { passwordProblems } from '../../domain/account'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { FormNote, type Problems, SubmitButton, useForm } from '../../ui/form'
import stack from '../../ui/stack.module.css'
import styles from './auth-form.module.css'
import { useAuthPlace } from './auth-place'
import { EmailField, emailProblem, INVALID_EMAIL, NewPasswordFields } from './auth-fields'
import { FormResult } from './form-result'
import { ViewLink } from './view-link'

interface ResetPasswordFormProps {
  /** From the link of the mail. */
  readonly token: string
}

/** Sets another password with the link of a mail, and ends in a view that leads to the login. */
export function ResetPasswordForm({ token }: ResetPasswordFormProps) {
  const { engine } = useServices()
  const [done, setDone] = useState(false)
  const { busy, problems, events } = useForm(['password', 'confirmation'], {
    check: ({ password, confirmation }) => passwordProblems(password, confirmation),
    send: async ({ password }) => {
      const result = await engine.call('resetPassword', { token, new_password: password })
      if (!result.ok) return problemOf(result)
      setDone(true)
      return null
    },
  })

  if (done) {
    return (
      <FormResult
        kind="success"
        title="Your password has been changed"
        actions={
          <ViewLink to="login" look="button">
            Proceed to Login
          </ViewLink>
        }
      >
        <p>You were logged out everywhere. Log in with the new password.</p>
      </FormResult>
    )
  }
  return (
    <form {...events} className={stack.gap4} aria-label="Reset password">
      {problems.form !== undefined && (
        <FormNote tone="error">
          <p>{problems.form}</p>
          <p>
            <ViewLink to="forgotPassword">Request a new link</ViewLink>
          </p>
        </FormNote>
      )}
      <NewPasswordFields problems={problems} readOnly={busy} first />
      <SubmitButton busy={busy} className={styles.wide}>
        Reset Password
      </SubmitButton>
    </form>
  )
}

const BAD_LINK = 'Failed to reset password. The link may be invalid or expired.'

/** A link that was refused will be again; whatever else went wrong says nothing about it. */
function problemOf(refusal: CallFailure): Problems<'password'> {
  if (refusal.error_code === 'COMMON_PASSWORD') return { password: refusal.message }
  const refused = refusal.error_code === 'INVALID_LINK' || refusal.message === ''
  return { form: refused ? BAD_LINK : `Failed to reset password. ${sentenceOf(refusal, '')}` }
}

/** Has a link sent that sets another password; whether there is such an account, nobody learns. */
export function ForgotPasswordForm() {
  const { engine } = useServices()
  const place = useAuthPlace()
  const [sent, setSent] = useState<string | null>(null)
  const { busy, problems, events } = useForm(['email'], {
    check: ({ email }) => ({ email: emailProblem(email) }),
    send: async ({ email }) => {
      const result = await engine.call('requestPasswordReset', { email })
      if (result.ok) setSent(result.value.message)
      else if (result.error_code === 'VALIDATION_ERROR') return { email: INVALID_EMAIL }
      else return { form: `Failed to request password reset. ${sentenceOf(result, '')}`.trim() }
      return null
    },
  })

  if (sent !== null) return <ResetSent message={sent} />
  return (
    <div className={stack.gap5}>
      <form {...events} className={stack.gap4} aria-label="Forgot password">
        <p className={styles.lead} data-place={place.kind}>
          Enter the address of your account, and we send you a link to choose a new password.
        </p>
        {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
        <EmailField autoComplete="username" error={problems.email} readOnly={busy} />
        <SubmitButton busy={busy} className={styles.wide}>
          Send reset link
        </SubmitButton>
      </form>
      <p className={styles.aside}>
        <ViewLink to="login">Back to login</ViewLink>
      </p>
    </div>
  )
}

const SENT = 'If an account with this email exists, a link to reset its password is on its way.'

/** A link that sets another password has been asked for; `message` is the server's, empty where it had none. */
export const ResetSent = ({ message }: { readonly message: string }) => (
  <FormResult kind="mail" title="Check your inbox" actions={<ViewLink to="login">Back to login</ViewLink>}>
    <p>{message === '' ? SENT : message}</p>
    <p>The link works once, for an hour. Nothing there? Look into the spam folder.</p>
  </FormResult>
)
