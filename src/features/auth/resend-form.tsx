import { useState } from 'react'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { FormNote, SubmitButton, useForm } from '../../ui/form'
import stack from '../../ui/stack.module.css'
import styles from './auth-form.module.css'
import { EmailField, emailProblem, INVALID_EMAIL } from './auth-fields'

/** Has the verification link sent again: to `email`, else to the address that the form asks for. */
export function ResendForm({ email: known }: { readonly email?: string }) {
  const { engine } = useServices()
  const [sent, setSent] = useState<string | null>(null)
  const { busy, problems, events } = useForm(['email'], {
    check: ({ email }) => ({ email: emailProblem(email, 'Email is required to resend the verification link.') }),
    send: async ({ email }) => {
      setSent(null)
      const result = await engine.call('resendVerification', { email })
      if (result.ok) setSent(result.value.message)
      else if (result.error_code === 'VALIDATION_ERROR' && known === undefined) return { email: INVALID_EMAIL }
      else return { form: sentenceOf(result, 'Failed to resend the verification email. Please try again.') }
      return null
    },
  })

  return (
    <form {...events} className={stack.gap4} aria-label="Resend verification">
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
