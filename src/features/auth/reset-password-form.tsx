import { useState } from 'react'
import type { CallFailure } from '../../db/call'
import { passwordProblems } from '../../domain/account'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { LinkButton } from '../../ui/button'
import { FormNote, type Problems, SubmitButton, useForm } from '../../ui/form'
import { NewPasswordFields } from '../../ui/password-input'
import stack from '../../ui/stack.module.css'
import styles from './auth-form.module.css'
import { useAuthPlace } from './auth-place'
import { EmailField, emailProblem, INVALID_EMAIL } from './auth-fields'
import { FormResult, ProceedToLogin, ViewLink } from './form-result'

/** Sets another password with the token from the link of a mail, and ends in a view that leads to the login. */
export function ResetPasswordForm({ token }: { readonly token: string }) {
  const { engine } = useServices()
  const [done, setDone] = useState<string | null>(null)
  const { busy, problems, events } = useForm(['password', 'confirmation'], {
    check: ({ password, confirmation }) => passwordProblems(password, confirmation),
    send: async ({ password }) => {
      const result = await engine.call('resetPassword', { token, new_password: password })
      if (!result.ok) return problemOf(result)
      setDone(result.value.message)
      return null
    },
  })

  if (done !== null) {
    return (
      <FormResult kind="success" title="Your password has been changed" actions={<ProceedToLogin />}>
        <p>{done === '' ? 'You were logged out everywhere. Log in with the new password.' : done}</p>
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

/** Only INVALID_LINK says that the link is bad; after other failures the user may try again with the same link. */
function problemOf(refusal: CallFailure): Problems<'password'> {
  if (refusal.error_code === 'COMMON_PASSWORD') return { password: refusal.message }
  const refused = refusal.error_code === 'INVALID_LINK' || refusal.message === ''
  return { form: refused ? BAD_LINK : `Failed to reset password. ${sentenceOf(refusal, '')}` }
}

/** Has a link sent that sets another password. The answer does not tell if the address has an account. */
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
      else return { form: notRequested(result) }
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

/** Why no link that sets another password has been asked for. */
const notRequested = (failure: CallFailure): string =>
  `Failed to request password reset. ${sentenceOf(failure, '')}`.trim()

const SENT = 'If an account with this email exists, a link to reset its password is on its way.'

/** A link that sets another password has been asked for. `message` is the server's, and may be empty. */
export const ResetSent = ({ message }: { readonly message: string }) => (
  <FormResult kind="mail" title="Check your inbox" actions={<ViewLink to="login">Back to login</ViewLink>}>
    <p>{message === '' ? SENT : message}</p>
    <p>The link works once, for an hour. Nothing there? Look into the spam folder.</p>
  </FormResult>
)

/** Has a link sent to the address of an account that sets another password, or its first (`label` says so). */
export function SetAnotherPassword({
  email,
  label = 'Set another password by mail',
  onSent,
}: {
  readonly email: string
  readonly label?: string
  readonly onSent: (message: string) => void
}) {
  const { engine } = useServices()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const request = async () => {
    if (busy) return
    setBusy(true)
    setProblem(null)
    const result = await engine.call('requestPasswordReset', { email })
    if (result.ok) return onSent(result.value.message)
    setBusy(false)
    setProblem(notRequested(result))
  }
  return (
    <>
      {problem !== null && <FormNote tone="error">{problem}</FormNote>}
      <p>
        <LinkButton onClick={() => void request()} aria-disabled={busy}>
          {label}
        </LinkButton>
      </p>
    </>
  )
}
