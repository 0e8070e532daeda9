import { useState } from 'react'
import type { PasskeyChallenge } from '../../contract/passkeys'
import { missingPassword } from '../../domain/account'
import { UNREACHED } from '../../domain/error-message'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { FormNote, SubmitButton, useForm } from '../../ui/form'
import { LinkButton } from '../../ui/button'
import { CurrentPasswordField } from '../../ui/password-input'
import stack from '../../ui/stack.module.css'
import styles from './auth-form.module.css'
import { EmailField, emailProblem } from './auth-fields'
import { FormResult, ViewLink } from './form-result'
import { GoogleSignIn } from './google-sign-in'
import { ResendForm } from './register-form'
import { SecondFactor } from './second-factor'

const NOT_LOGGED_IN = 'Login failed. Please check your credentials.'
const UNEXPECTED = `An unexpected error occurred. ${UNREACHED}`

interface LoginFormProps {
  /** Why the user is asked to log in. */
  readonly notice?: string | undefined
  /** Why the login at Google failed a moment ago; a toast has said so. */
  readonly problem?: string | undefined
  readonly onDone: () => void
}

/** `email`: as last sent. */
type Stage =
  | { readonly kind: 'form' | 'unverified'; readonly email: string; readonly problem?: string | undefined }
  | { readonly kind: 'second-factor'; readonly email: string; readonly challenge: PasskeyChallenge }

/** Logs in by email and password, or at Google. */
export function LoginForm({ notice, problem, onDone }: LoginFormProps) {
  const { engine } = useServices()
  const [stage, setStage] = useState<Stage>({ kind: 'form', email: '' })
  const { busy, problems, events } = useForm(['email', 'password'], {
    check: ({ email, password }) => ({ email: emailProblem(email), password: missingPassword(password) }),
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
        <LoginNote failure={problems.form ?? stage.problem} problem={problem} notice={notice} />
        <EmailField autoComplete="username" defaultValue={stage.email} error={problems.email} readOnly={busy} />
        <div className={styles.withLink}>
          <CurrentPasswordField
            account={null}
            error={problems.password}
            name="password"
            readOnly={busy}
            required
            // A user who comes back has typed the address before, and the focused element is gone.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={stage.email !== ''}
          />
          {/* After the field, so that Tab leads from the address to the password without a stop here. */}
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

interface LoginNoteProps extends Pick<LoginFormProps, 'notice' | 'problem'> {
  /** Why this form was refused. */
  readonly failure: string | undefined
}

/** The most pressing of the sentences above the form. */
function LoginNote({ failure, problem, notice }: LoginNoteProps) {
  if (failure !== undefined) return <FormNote tone="error">{failure}</FormNote>
  if (problem !== undefined) {
    return (
      <FormNote tone="error" isAnnounced>
        {problem}
      </FormNote>
    )
  }
  return notice !== undefined && <FormNote tone="info">{notice}</FormNote>
}

/** The password was right, but the link in the verification mail has not been followed yet. */
const Unverified = ({ email, onBack }: { readonly email: string; readonly onBack: () => void }) => (
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
