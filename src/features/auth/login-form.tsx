import { useState } from 'react'
import type { PasskeyChallenge } from '../../contract/passkeys'
import type { AskFailure } from '../../db/account-request'
import { UNREACHED } from '../../domain/unreached-words'
import { useServices } from '../../state/services'
import { Field } from '../../ui/field'
import { FormNote } from '../../ui/form-note'
import { PasswordInput } from '../../ui/password-input'
import { SubmitButton } from '../../ui/submit-button'
import { useForm } from '../../ui/use-form'
import styles from './auth-form.module.css'
import { emailProblem } from './checks'
import { EmailField } from './email-field'
import { GoogleSignIn } from './google-button'
import { SecondFactor } from './second-factor'
import { Unverified } from './unverified'
import { ViewLink } from './view-link'

interface LoginFormProps {
  /** Why somebody is asked to log in. */
  readonly notice?: string | undefined
  /** What has kept somebody out a moment ago, and has been said in a toast. */
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
      const result = await engine.account({ kind: 'log-in', email, password })
      if (result.ok) onDone()
      else if (result.error_code === 'EMAIL_NOT_VERIFIED') setStage({ kind: 'unverified', email })
      else if (result.second_factor !== undefined) {
        setStage({ kind: 'second-factor', email, challenge: result.second_factor })
      } else return { form: problemOf(result) }
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
    <div className={styles.stack}>
      <form {...events} className={styles.form} aria-label="Log in">
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
                // Whoever comes back has said already who they are, and what had the focus is gone.
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

function problemOf(refusal: AskFailure): string {
  if (refusal.status === 0) return `An unexpected error occurred. ${UNREACHED}`
  return refusal.message === '' ? 'Login failed. Please check your credentials.' : refusal.message
}
