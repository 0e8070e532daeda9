import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PasskeyChallenge } from '../../contract/web-authn'
import type { CallFailure } from '../../db/call'
import { sentenceOf } from '../../state/calls'
import { signWithPasskey } from '../../state/sign-in-methods'
import { useServices } from '../../state/services'
import { BusyButton, FormNote, SubmitButton, useForm } from '../../ui/form'
import { Field, TextInput } from '../../ui/field'
import { LinkButton } from '../../ui/button'
import { useHere } from '../../ui/browser-state'
import stack from '../../ui/stack.module.css'
import styles from './auth-form.module.css'

interface SecondFactorProps {
  readonly challenge: PasskeyChallenge
  readonly onDone: () => void
  /** Back to the first step: the challenge is used up, or the user has changed their mind. */
  readonly onBack: (problem?: string) => void
}

const REFUSED = 'The login was refused. Please log in again.'

/** The second step of a login to an account with passkeys. */
export function SecondFactor({ challenge, onDone, onBack }: SecondFactorProps) {
  const [recovering, setRecovering] = useState(false)
  return (
    <div className={stack.gap5}>
      {recovering ? (
        <RecoveryCode ticket={challenge.ticket} onDone={onDone} />
      ) : (
        <WithPasskey challenge={challenge} onDone={onDone} onBack={onBack} />
      )}
      <p className={styles.aside}>
        <LinkButton onClick={() => setRecovering(!recovering)}>
          {recovering ? 'Use a passkey' : 'Use a recovery code'}
        </LinkButton>
        {' · '}
        <LinkButton onClick={() => onBack()}>Back</LinkButton>
      </p>
    </div>
  )
}

function WithPasskey({ challenge: { ticket, options }, onDone, onBack }: SecondFactorProps) {
  const { engine } = useServices()
  const here = useHere()

  const confirm = async (): Promise<string | null> => {
    const signed = await signWithPasskey(options)
    if (!signed.ok) return signed.problem
    if (!here.current) return null
    const result = await engine.call('secondFactor', { ticket, assertion: signed.value })
    if (!here.current) return null
    if (result.ok) onDone()
    else onBack(sentenceOf(result, REFUSED))
    return null
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the password field that had the focus is gone
    <PasskeyButton onUse={confirm} autoFocus>
      <p className={styles.lead}>Your account is protected by a passkey. Confirm the login with it.</p>
    </PasskeyButton>
  )
}

interface PasskeyButtonProps {
  /** Returns a sentence where the passkey was not used. */
  readonly onUse: () => Promise<string | null>
  readonly autoFocus?: boolean
  /** Stands between the sentence and the button. */
  readonly children?: ReactNode
}

/** Has the user confirm something by a passkey. */
export function PasskeyButton({ onUse, autoFocus, children }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const use = async () => {
    setBusy(true)
    setProblem(null)
    setProblem(await onUse())
    setBusy(false)
  }
  return (
    <>
      {problem !== null && <FormNote tone="error">{problem}</FormNote>}
      {children}
      <BusyButton
        busy={busy}
        variant="primary"
        className={styles.wide}
        icon={KeyRound}
        onClick={() => void use()}
        data-autofocus
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only where the focused element is gone
        autoFocus={autoFocus}
      >
        Use your passkey
      </BusyButton>
    </>
  )
}

function RecoveryCode({ ticket, onDone }: { readonly ticket: string; readonly onDone: () => void }) {
  const { engine } = useServices()
  const { busy, problems, events } = useForm(['code'], {
    check: ({ code }) => ({ code: code.trim() === '' ? 'Enter a recovery code.' : undefined }),
    send: async ({ code }) => {
      const result = await engine.call('secondFactor', { ticket, recovery_code: code.trim() })
      if (!result.ok) return problemOf(result)
      onDone()
      return null
    },
  })
  return (
    <form {...events} className={stack.gap4} aria-label="Log in by recovery code">
      {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
      <p className={styles.lead}>Each of the codes that you were given with your first passkey works once.</p>
      <Field label="Recovery code" error={problems.code}>
        {(control) => (
          <TextInput
            {...control}
            name="code"
            maxLength={64}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            readOnly={busy}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus is gone
            autoFocus
          />
        )}
      </Field>
      <SubmitButton busy={busy} className={styles.wide}>
        Log In
      </SubmitButton>
    </form>
  )
}

const problemOf = (failure: CallFailure) =>
  failure.error_code === 'SECOND_FACTOR_REFUSED' ? { code: failure.message } : { form: sentenceOf(failure, REFUSED) }
