import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { missingPassword } from '../../domain/account'
import { accountAtom } from '../../state/account'
import { sentenceOf } from '../../state/calls'
import { type EngineClient, useServices } from '../../state/services'
import { Button } from '../../ui/button'
import { FormNote, SubmitButton, useForm } from '../../ui/form'
import { CurrentPasswordField } from '../../ui/password-input'
import stack from '../../ui/stack.module.css'
import styles from './auth-form.module.css'
import { FormResult, ProceedToLogin, ViewLink } from './form-result'
import { ResendForm } from './resend-form'
import { ResetSent, SetAnotherPassword } from './reset-password-form'
import { NOT_VERIFIED, type SecondProofProps, VerifyWithPasskey } from './verify-with-passkey'

/** Milliseconds before the page of a verified address opens the login by itself. */
const REDIRECT_AFTER = 5000

type Verification =
  | { readonly kind: 'verifying' }
  /** `message` is the server's. */
  | { readonly kind: 'verified'; readonly message: string | null }
  /** Another browser registered the address. `email` is the account's, where the server names it. */
  | { readonly kind: 'password'; readonly message: string; readonly email: string | null }
  /** The same, by a passkey: the account has no password. */
  | { readonly kind: 'passkey'; readonly email: string }
  | { readonly kind: 'bad-link' }
  /** The link may be good: the server has not judged the token. */
  | { readonly kind: 'trouble'; readonly message: string }

interface VerifyEmailProps {
  /** From the link of the mail; null: the link has none. */
  readonly token: string | null
  /** Leads to the login. */
  readonly onDone: () => void
}

/** Follows the link of a verification mail. */
export const VerifyEmail = ({ token, onDone }: VerifyEmailProps) =>
  token === null ? (
    <BadLink message="Verification token not found in the link." />
  ) : (
    <Link key={token} token={token} onDone={onDone} />
  )

function Link({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const { engine } = useServices()
  const [state, setState] = useState<Verification>({ kind: 'verifying' })
  useEffect(() => void verify(engine, token).then(setState), [engine, token])

  const ends = {
    onVerified: (message: string) => setState({ kind: 'verified', message }),
    onBadLink: () => setState({ kind: 'bad-link' }),
  }
  switch (state.kind) {
    case 'verifying':
      return (
        <p role="status" className={styles.progress}>
          Verifying your email…
        </p>
      )
    case 'verified':
      return <Verified message={state.message} onDone={onDone} />
    case 'password':
      return <VerifyWithPassword {...state} {...ends} token={token} />
    case 'passkey':
      return <VerifyWithPasskey {...ends} email={state.email} token={token} />
    case 'bad-link':
      return <BadLink message="This verification link is invalid or has expired." />
    case 'trouble': {
      const retry = () => {
        setState({ kind: 'verifying' })
        void verify(engine, token).then(setState)
      }
      const button = (
        <Button variant="primary" className={styles.wide} onClick={retry}>
          Try again
        </Button>
      )
      return (
        <FormResult kind="error" title="Your email could not be verified yet" actions={button}>
          <p>{state.message}</p>
        </FormResult>
      )
    }
  }
}

async function verify(engine: EngineClient, token: string): Promise<Verification> {
  const result = await engine.call('verifyEmail', { token })
  if (result.ok) return { kind: 'verified', message: result.value.message }
  // Only this code says that the link is bad; limits and the server's faults have other codes.
  if (result.error_code === 'INVALID_LINK') return { kind: 'bad-link' }
  const { email } = result
  if (result.error_code === 'PASSWORD_REQUIRED')
    return { kind: 'password', message: result.message, email: email ?? null }
  if (result.error_code === 'PASSKEY_REQUIRED' && email !== undefined) return { kind: 'passkey', email }
  return { kind: 'trouble', message: sentenceOf(result, 'Please try again.') }
}

const BadLink = ({ message }: { readonly message: string }) => (
  <FormResult
    kind="error"
    title={message}
    actions={
      <>
        <ResendForm />
        <ViewLink to="login">Back to login</ViewLink>
      </>
    }
  >
    <p>A link works once, for 24 hours. Have a new one sent to you:</p>
  </FormResult>
)

function Verified({ message, onDone }: { readonly message: string | null; readonly onDone: () => void }) {
  const isIn = useAtomValue(accountAtom)?.user != null
  useEffect(() => {
    const timer = setTimeout(onDone, REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [onDone])
  return (
    <FormResult kind="success" title="Your email is verified" actions={<ProceedToLogin isIn={isIn} />}>
      {isIn ? <p>You are logged in already.</p> : <p>{message ?? 'You can log in now.'}</p>}
      <p>
        The {isIn ? 'dashboard' : 'login page'} opens in {REDIRECT_AFTER / 1000} seconds.
      </p>
    </FormResult>
  )
}

interface VerifyWithPasswordProps extends SecondProofProps {
  /** The server's. */
  readonly message: string
  /** Address of the account; null: the server has not named it. */
  readonly email: string | null
}

/**
 * Asks for the password of the registration in a browser that did not register the address: the reader of the mail may
 * be another user than the one who registered. Or the reader sets another password by mail.
 */
function VerifyWithPassword({ token, message, email, onVerified, onBadLink }: VerifyWithPasswordProps) {
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
            <SetAnotherPassword email={email} onSent={setResetSent} />
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
