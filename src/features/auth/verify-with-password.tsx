import { useState } from 'react'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { Field } from '../../ui/field'
import { FormNote, SubmitButton, useForm } from '../../ui/form'
import { LinkButton } from '../../ui/button'
import { PasswordInput } from '../../ui/password-input'
import stack from '../../ui/stack.module.css'
import styles from './auth-form.module.css'
import { FormResult } from './form-result'
import { ResetSent } from './reset-password-form'
import { ViewLink } from './view-link'

interface VerifyWithPasswordProps {
  /** From the link of the mail. */
  readonly token: string
  /** The server's. */
  readonly message: string
  /** Of the account; null: the server has not named it. */
  readonly email: string | null
  readonly onVerified: (message: string | null) => void
  /** The link has been used or has grown too old meanwhile. */
  readonly onBadLink: () => void
}

const NOT_VERIFIED = 'Your email could not be verified yet. Please try again.'

/**
 * Asks for the password that was chosen, where the link is opened in a browser that did not register the address: the
 * reader of the mail shows that it is theirs, or sets another by mail.
 */
export function VerifyWithPassword({ token, message, email, onVerified, onBadLink }: VerifyWithPasswordProps) {
  const { engine } = useServices()
  const [resetSent, setResetSent] = useState<string | null>(null)
  const { busy, problems, events } = useForm(['password'], {
    check: ({ password }) => ({ password: password === '' ? 'Password is required.' : undefined }),
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
            {/* Tells password managers whose password is asked for. */}
            {email !== null && (
              <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
            )}
            <Field label="Password" error={problems.password}>
              {(control) => (
                <PasswordInput
                  {...control}
                  name="password"
                  autoComplete="current-password"
                  readOnly={busy}
                  required
                  data-autofocus
                />
              )}
            </Field>
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

interface SetAnotherProps {
  readonly email: string
  readonly onSent: (message: string) => void
}

/** Has a link sent that sets another password, which verifies the address as well. */
function SetAnother({ email, onSent }: SetAnotherProps) {
  const { engine } = useServices()
  const [state, setState] = useState<{ readonly busy: boolean; readonly problem: string | null }>({
    busy: false,
    problem: null,
  })
  const request = async () => {
    if (state.busy) return
    setState({ busy: true, problem: null })
    const result = await engine.call('requestPasswordReset', { email })
    if (result.ok) onSent(result.value.message)
    else setState({ busy: false, problem: `Failed to request password reset. ${sentenceOf(result, '')}`.trim() })
  }
  return (
    <>
      {state.problem !== null && <FormNote tone="error">{state.problem}</FormNote>}
      <p>
        <LinkButton onClick={() => void request()} aria-disabled={state.busy}>
          Set another password by mail
        </LinkButton>
      </p>
    </>
  )
}
