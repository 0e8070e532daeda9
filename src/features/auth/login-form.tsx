import { useState } from 'react'
import type { PasskeyChallenge } from '../../contract/passkeys'
import { UNREACHED } from '../../domain/error-message'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { Field } from '../../ui/field'
import { FormNote, SubmitButton, useForm } from '../../ui/form'
import { LinkButton } from '../../ui/button'
import { PasswordInput } from '../../ui/password-input'
import stack from '../../ui/stack.module.css'
import styles from './auth-form.module.css'
import { EmailField, emailProblem } from './auth-fields'
import { GoogleSignIn } from './google-sign-in'
import { FormResult } from './form-result'
import { ResendForm } from './register-form'
import { SecondFactor } from './second-factor'
import { ViewLink } from './view-link'

const NOT_LOGGED_IN = 'Login failed. Please check your credentials.'
const UNEXPECTED = `An unexpected error occurred. ${UNREACHED}`

interface LoginFormProps {
  /** Why somebody is asked to log in. */
  readonly notice?: string | undefined
  /** Error code that kept the user out a moment ago, and that a toast has said. */
  readonly problem?: string | undefined
  readonly onDone: () => void
}

/** `email` is as it was last sent. */
type Stage =
  | { readonly kind: 'form' | 'unverified'; readonly email: string; readonly problem?: string | undefined }
  | { readonly kind: 'second-factor'; readonly email: string; readonly challenge: PasskeyChallenge }

/** Logs in by e-mail and password, or at Google. */
export function LoginForm({ notice, problem, onDone }: LoginFormProps) {
  const { engine } = useServices()
  const [stage, setStage] = useState<Stage>({ kind: 'form', email: '' })
  const { busy, problems, events } = useForm(['email', 'password'], {
    check: ({ email, password }) => ({
      email: emailProblem(email),
      password: password === '' ? 'Password is required.' : undefined,
    }),
    send: async ({ email, password }) => {
      const result = await engine.call('logIn', { username: email, password })
      if (result.ok) onDone()
      else if (result.error_code === 'EMAIL_NOT_VERIFIED') setStage({ kind: 'unverified', email })
      else if (result.second_factor !== undefined) {
        setStage({ kind: 'second-factor', email, challenge: result.second_factor })
      } else return { form: sentenceOf(result, NOT_LOGGED_IN, UNEXPECTED) }
      return null
    },
  })

  if (stage.kind === 'unverified') {
    return <Unverified email={stage.email} onBack={() => setStage({ ...stage, kind: 'form' })} />
  }
  if (stage.kind === 'second-factor') {
    const back = (why?: string) => setStage({ kind: 'form', email: stage.email, problem: why })
    return <SecondFactor challenge={stage.challenge} onDone={onDone} onBack={back} />
  }
  return (
    <div className={stack.gap5}>
      <form {...events} className={stack.gap4} aria-label="Log in">
        {problems.form !== undefined ? (
          <FormNote tone="error">{problems.form}</FormNote>
        ) : stage.problem !== undefined ? (
          <FormNote tone="error">{stage.problem}</FormNote>
        ) : problem !== undefined ? (
          <FormNote tone="error" said>
            {problem}
          </FormNote>
        ) : (
          notice !== undefined && <FormNote tone="info">{notice}</FormNote>
        )}
        <EmailField autoComplete="username" defaultValue={stage.email} error={problems.email} readOnly={busy} />
        <div className={styles.withLink}>
          <Field label="Password" error={problems.password}>
            {(control) => (
              <PasswordInput
                {...control}
                name="password"
                autoComplete="current-password"
                readOnly={busy}
                required
                // A user who comes back has typed the address before, and the focused element is gone.
                // oxlint-disable-next-line jsx-a11y/no-autofocus
                autoFocus={stage.email !== ''}
              />
            )}
          </Field>
          {/* After the field: on the way from the address to the password, Tab does not stop here. */}
          <span className={styles.besideLabel}>
            <ViewLink to="forgotPassword">Forgot password?</ViewLink>
          </span>
        </div>
        <SubmitButton busy={busy} className={styles.wide}>
          Log In
        </SubmitButton>
      </form>
      <GoogleSignIn />
      <p className={styles.aside}>
        New here? <ViewLink to="register">Create an account</ViewLink>
      </p>
    </div>
  )
}

interface UnverifiedProps {
  readonly email: string
  readonly onBack: () => void
}

/** The password was right, but nobody has followed the link to this address yet. */
const Unverified = ({ email, onBack }: UnverifiedProps) => (
  <FormResult
    kind="mail"
    title="Verify your email first"
    actions={
      <>
        <ResendForm email={email} />
        <p>
          <LinkButton onClick={onBack}>Back to login</LinkButton>
        </p>
      </>
    }
  >
    <p>
      <strong>{email}</strong> has not been verified yet. Open the link in the email we sent you, then log in.
    </p>
  </FormResult>
)
