import { useState } from 'react'
import { missingPassword } from '../../domain/account'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { FormNote, SubmitButton, useForm } from '../../ui/form'
import { LinkButton } from '../../ui/button'
import { CurrentPasswordField } from '../../ui/password-input'
import stack from '../../ui/stack.module.css'
import styles from './auth-form.module.css'
import { FormResult, ViewLink } from './form-result'
import { notRequested, ResetSent } from './reset-password-form'

interface VerifyWithPasswordProps {
  /** From the link of the mail. */
  readonly token: string
  /** The server's. */
  readonly message: string
  /** Address of the account; null: the server has not named it. */
  readonly email: string | null
  readonly onVerified: (message: string | null) => void
  /** The link has been used or has expired meanwhile. */
  readonly onBadLink: () => void
}

const NOT_VERIFIED = 'Your email could not be verified yet. Please try again.'

/**
 * Asks for the password of the registration in a browser that did not register the address: the reader of the mail may
 * be another user than the one who registered. Or the reader sets another password by mail.
 */
export function VerifyWithPassword({ token, message, email, onVerified, onBadLink }: VerifyWithPasswordProps) {
  const { engine } = useServices()
  const [resetSent, setResetSent] = useState<string | null>(null)
  const { busy, problems, events } = useForm(['password'], {
    check: ({ password }) => ({ password: missingPassword(password) }),
    send: async ({ password }) => {
      const result = await engine.call('verifyEmail', { token, password })
      if (result.ok) onVerified(result.value.message)
      else if (result.error_code === 'INVALID_LINK') onBadLink()
      else if (result.error_code === 'INCORRECT_PASSWORD') return { password: sentenceOf(result, NOT_VERIFIED) }
      else return { form: sentenceOf(result, NOT_VERIFIED) }
      return null
    },
  })

  if (resetSent !== null) return <ResetSent message={resetSent} />
  return (
    <FormResult
      kind="password"
      title="Enter your password"
      actions={
        <>
          <form {...events} className={stack.gap4} aria-label="Verify email">
            {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
            <CurrentPasswordField
              account={email}
              error={problems.password}
              name="password"
              readOnly={busy}
              required
              data-autofocus
            />
            <SubmitButton busy={busy} className={styles.wide}>
              Verify email
            </SubmitButton>
          </form>
          {email === null ? (
            <ViewLink to="forgotPassword">Set another password by mail</ViewLink>
          ) : (
            <SetAnother email={email} onSent={setResetSent} />
          )}
        </>
      }
    >
      {email !== null && (
        <p>
          <strong>{email}</strong> was registered in another browser.
        </p>
      )}
      <p>{message}</p>
    </FormResult>
  )
}

/** Has a link sent that sets another password, which verifies the address as well. */
function SetAnother({ email, onSent }: { readonly email: string; readonly onSent: (message: string) => void }) {
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
          Set another password by mail
        </LinkButton>
      </p>
    </>
  )
}
