import { useState } from 'react'
import { useServices } from '../../state/services'
import { FormNote } from '../../ui/form-note'
import { SubmitButton } from '../../ui/submit-button'
import { useForm } from '../../ui/use-form'
import styles from './auth-form.module.css'
import { useAuthPlace } from './auth-place'
import { emailProblem, INVALID_EMAIL } from './checks'
import { EmailField } from './email-field'
import { ResetSent } from './reset-sent'
import { reasonOf } from '../../state/refusal'
import { ViewLink } from './view-link'

/** Has a link sent that sets another password; whether there is such an account, nobody learns. */
export function ForgotPasswordForm() {
  const { engine } = useServices()
  const place = useAuthPlace()
  const [sent, setSent] = useState<string | null>(null)
  const { busy, problems, events } = useForm(['email'], {
    check: ({ email }) => ({ email: emailProblem(email) }),
    send: async ({ email }) => {
      const result = await engine.account({ kind: 'request-reset', email })
      if (result.ok) setSent(result.message ?? '')
      else if (result.error_code === 'VALIDATION_ERROR') return { email: INVALID_EMAIL }
      else return { form: `Failed to request password reset. ${reasonOf(result, '')}`.trim() }
      return null
    },
  })

  if (sent !== null) return <ResetSent message={sent} />
  return (
    <div className={styles.stack}>
      <form {...events} className={styles.form} aria-label="Forgot password">
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
