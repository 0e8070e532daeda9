import { useState } from 'react'
import type { AskFailure } from '../../db/account-request'
import { passwordProblems } from '../../domain/password-problems'
import { reasonOf } from '../../state/refusal'
import { useServices } from '../../state/services'
import { FormNote } from '../../ui/form-note'
import { SubmitButton } from '../../ui/submit-button'
import { type Problems, useForm } from '../../ui/use-form'
import styles from './auth-form.module.css'
import { NewPasswordFields } from './new-password-fields'
import { Outcome } from './outcome'
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
      const result = await engine.account({ kind: 'reset-password', token, password })
      if (!result.ok) return problemOf(result)
      setDone(true)
      return null
    },
  })

  if (done) {
    return (
      <Outcome
        kind="success"
        title="Your password has been changed"
        actions={
          <ViewLink to="login" look="button">
            Proceed to Login
          </ViewLink>
        }
      >
        <p>You were logged out everywhere. Log in with the new password.</p>
      </Outcome>
    )
  }
  return (
    <form {...events} className={styles.form} aria-label="Reset password">
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
function problemOf(refusal: AskFailure): Problems<'password'> {
  if (refusal.error_code === 'COMMON_PASSWORD') return { password: refusal.message }
  const refused = refusal.error_code === 'INVALID_LINK' || refusal.message === ''
  return { form: refused ? BAD_LINK : `Failed to reset password. ${reasonOf(refusal, '')}` }
}
