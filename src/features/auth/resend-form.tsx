import { useState } from 'react'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { FormNote } from '../../ui/form-note'
import { SubmitButton } from '../../ui/busy-button'
import { useForm } from '../../ui/use-form'
import { emailProblem, INVALID_EMAIL } from './checks'
import styles from './auth-form.module.css'
import { EmailField } from './email-field'

const NOT_SENT = 'Failed to resend the verification email. Please try again.'

interface ResendFormProps {
  /** Whose link it is, where that is known; else the form asks. */
  readonly email?: string
}

/** Has the verification link sent again. */
export function ResendForm({ email: known }: ResendFormProps) {
  const { engine } = useServices()
  const [sent, setSent] = useState<string | null>(null)
  const { busy, problems, events } = useForm(['email'], {
    check: ({ email }) => ({ email: emailProblem(email, 'Email is required to resend the verification link.') }),
    send: async ({ email }) => {
      setSent(null)
      const result = await engine.call('resendVerification', { email })
      if (result.ok) {
        setSent(result.value.message)
        return null
      }
      const field = result.error_code === 'VALIDATION_ERROR' && known === undefined
      return field ? { email: INVALID_EMAIL } : { form: sentenceOf(result, NOT_SENT) }
    },
  })

  return (
    <form {...events} className={styles.form} aria-label="Resend verification">
      {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
      {sent !== null && <FormNote tone="success">{sent}</FormNote>}
      {known === undefined ? (
        <EmailField autoComplete="email" error={problems.email} readOnly={busy} />
      ) : (
        <input type="hidden" name="email" value={known} />
      )}
      <SubmitButton busy={busy} variant={known === undefined ? 'primary' : 'secondary'} className={styles.wide}>
        Resend verification email
      </SubmitButton>
    </form>
  )
}
