import { useSetAtom } from 'jotai'
import { type FormEvent, useState } from 'react'
import { passwordProblems } from '../../domain/account'
import { sentenceOf } from '../../state/calls'
import { openDialogAtom } from '../../state/open-dialogs'
import { useServices } from '../../state/services'
import { FormNote, SubmitButton, useForm } from '../../ui/form'
import { LinkButton } from '../../ui/button'
import { NewPasswordFields } from '../../ui/password-input'
import stack from '../../ui/stack.module.css'
import styles from './auth-form.module.css'
import { EmailField, emailProblem, INVALID_EMAIL } from './auth-fields'
import { FormResult, ProceedToLogin, ViewLink } from './form-result'
import { GoogleSignIn } from './google-sign-in'

type Stage =
  | { readonly kind: 'form' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'registered'; readonly email: string; readonly message: string | null }

/** Makes an account, whose address the link in a mail then verifies. */
export function RegisterForm() {
  const { engine } = useServices()
  const [stage, setStage] = useState<Stage>({ kind: 'form' })
  const { busy, problems, events } = useForm(['email', 'password', 'confirmation'], {
    check: ({ email, password, confirmation }) => ({
      email: emailProblem(email),
      ...passwordProblems(password, confirmation),
    }),
    send: async ({ email, password }) => {
      const result = await engine.call('register', { email, password })
      setStage({ kind: 'form' })
      if (result.ok) setStage({ kind: 'registered', email, message: result.value.message })
      else if (result.error_code === 'EMAIL_ALREADY_REGISTERED') setStage({ kind: 'taken' })
      else if (result.error_code === 'COMMON_PASSWORD') return { password: result.message }
      // The page has checked the password's length, so the server means the address.
      else if (result.error_code === 'VALIDATION_ERROR') return { email: INVALID_EMAIL }
      else return { form: sentenceOf(result, 'Registration failed. Please try again.') }
      return null
    },
  })

  const edit = (event: FormEvent<HTMLFormElement>) => {
    events.onInput(event)
    // The server's answer was about the former address.
    if (event.target instanceof HTMLInputElement && event.target.name === 'email') setStage({ kind: 'form' })
  }

  if (stage.kind === 'registered') return <Registered {...stage} />
  return (
    <div className={stack.gap5}>
      <form {...events} onInput={edit} className={stack.gap4} aria-label="Register">
        {stage.kind === 'taken' && <RegisteredAlready />}
        {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
        <EmailField autoComplete="username" error={problems.email} readOnly={busy} />
        <NewPasswordFields problems={problems} readOnly={busy} />
        <SubmitButton busy={busy} className={styles.wide}>
          Register
        </SubmitButton>
        <Legal />
      </form>
      <GoogleSignIn />
      <p className={styles.aside}>
        Have an account? <ViewLink to="login">Log in</ViewLink>
      </p>
    </div>
  )
}

function Legal() {
  const openDialog = useSetAtom(openDialogAtom)
  return (
    <p className={styles.legal}>
      You will be asked to accept the{' '}
      <LinkButton onClick={() => openDialog({ kind: 'policy', policy: 'terms' })}>Terms of Use</LinkButton> and the{' '}
      <LinkButton onClick={() => openDialog({ kind: 'policy', policy: 'privacy' })}>Privacy Policy</LinkButton> when you
      log in.
    </p>
  )
}

/** The account exists, and can log in once the link in the mail has been followed. `message` is the server's. */
const Registered = ({ email, message }: { readonly email: string; readonly message: string | null }) => (
  <FormResult
    kind="mail"
    title="Check your inbox"
    actions={
      <>
        <ProceedToLogin />
        <ResendForm email={email} />
      </>
    }
  >
    {message !== null && <p>{message}</p>}
    <p>
      The link goes to <strong>{email}</strong>. If it does not arrive within a few minutes, look into the spam folder.
    </p>
    <p>Open it in this browser, and you are done. Any other browser asks for your password.</p>
  </FormResult>
)

/** Ways on for a user whose address has an account. */
const RegisteredAlready = () => (
  <FormNote tone="error">
    <p>
      Email already registered. If you have just registered, check your inbox for the verification email. Otherwise{' '}
      <ViewLink to="login">log in</ViewLink> or <ViewLink to="forgotPassword">reset your password</ViewLink>.
    </p>
  </FormNote>
)

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
