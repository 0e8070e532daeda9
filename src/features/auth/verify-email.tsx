import { useEffect, useState } from 'react'
import { type EngineClient, useServices } from '../../state/services'
import { Button } from '../../ui/button'
import styles from './auth-form.module.css'
import { Outcome } from './outcome'
import { reasonOf } from '../../state/refusal'
import { ResendForm } from './resend-form'
import { ViewLink } from './view-link'

/** Milliseconds before a verified address leads on to the login by itself. */
export const REDIRECT_AFTER = 5000

const NO_TOKEN = 'Verification token not found in the link.'
const BAD_LINK = 'This verification link is invalid or has expired.'

type Verification =
  | { readonly kind: 'verifying' }
  | { readonly kind: 'verified' }
  | { readonly kind: 'bad-link'; readonly message: string }
  /** The link may be good: nobody has looked at it. */
  | { readonly kind: 'unanswered'; readonly message: string }

interface VerifyEmailProps {
  /** From the link of the mail; null: it has none. */
  readonly token: string | null
  /** Leads to the login. */
  readonly onDone: () => void
}

/** Follows the link of a verification mail. */
export function VerifyEmail({ token, onDone }: VerifyEmailProps) {
  const [state, retry] = useVerification(token)
  switch (state.kind) {
    case 'verifying':
      return (
        <p role="status" className={styles.progress}>
          Verifying your email…
        </p>
      )
    case 'verified':
      return <Verified onDone={onDone} />
    case 'bad-link':
      return (
        <Outcome
          kind="error"
          title={state.message}
          actions={
            <>
              <ResendForm />
              <ViewLink to="login">Back to login</ViewLink>
            </>
          }
        >
          <p>A link works once, for 24 hours. Have a new one sent to you:</p>
        </Outcome>
      )
    case 'unanswered':
      return (
        <Outcome
          kind="error"
          title="Your email could not be verified yet"
          actions={
            <Button variant="primary" className={styles.wide} onClick={retry}>
              Try again
            </Button>
          }
        >
          <p>{state.message}</p>
        </Outcome>
      )
  }
}

function useVerification(token: string | null): readonly [Verification, () => void] {
  const { engine } = useServices()
  const [state, setState] = useState<Verification>(
    token === null ? { kind: 'bad-link', message: NO_TOKEN } : { kind: 'verifying' },
  )
  useEffect(() => {
    if (token !== null) void verify(engine, token).then(setState)
  }, [engine, token])

  const retry = () => {
    if (token === null) return
    setState({ kind: 'verifying' })
    void verify(engine, token).then(setState)
  }
  return [state, retry]
}

async function verify(engine: EngineClient, token: string): Promise<Verification> {
  const result = await engine.account({ kind: 'verify-email', token })
  if (result.ok) return { kind: 'verified' }
  // Only the API's own verdict is one about the link.
  if (result.error_code !== null) return { kind: 'bad-link', message: BAD_LINK }
  return { kind: 'unanswered', message: reasonOf(result, 'Please try again.') }
}

function Verified({ onDone }: { readonly onDone: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onDone, REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [onDone])
  return (
    <Outcome
      kind="success"
      title="Your email is verified"
      actions={
        <ViewLink to="login" look="button">
          Proceed to Login
        </ViewLink>
      }
    >
      <p>You can log in now. The login page opens in {REDIRECT_AFTER / 1000} seconds.</p>
    </Outcome>
  )
}
