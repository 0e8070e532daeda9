import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { needsConnection } from '../../domain/error-message'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { supportsPasskeys } from '../../state/sign-in-methods'
import { useHere } from '../../ui/browser-state'
import { BusyButton, FormNote } from '../../ui/form'
import styles from './auth-form.module.css'
import { FormResult } from './form-result'
import { signAlone } from './passkey-sign-in'
import { ResetSent, SetAnotherPassword } from './reset-password-form'

export interface SecondProofProps {
  /** From the link of the mail. */
  readonly token: string
  /** `message` is the server's. */
  readonly onVerified: (message: string) => void
  /** The link has been used or has expired meanwhile. */
  readonly onBadLink: () => void
}

export const NOT_VERIFIED = 'Your email could not be verified yet. Please try again.'

/**
 * Asks for the passkey of the registration in a browser that did not register the address, of an account without a
 * password. Without that passkey the reader of the mail sets a password, which takes its place.
 */
export function VerifyWithPasskey({ email, ...proof }: SecondProofProps & { readonly email: string }) {
  const [resetSent, setResetSent] = useState<string | null>(null)
  if (resetSent !== null) return <ResetSent message={resetSent} />
  const isAble = supportsPasskeys()
  return (
    <FormResult
      kind="password"
      title={isAble ? 'Use your passkey' : 'Open this link where you registered'}
      actions={
        <>
          {isAble && <UsePasskey {...proof} />}
          <SetAnotherPassword email={email} label="Set a password by mail" onSent={setResetSent} />
        </>
      }
    >
      <p>
        <strong>{email}</strong> was registered with a passkey in another browser
        {isAble ? '. Use that passkey here, or open the link there.' : ', and this one does not support passkeys.'}
      </p>
      <p>If you did not register, or can no longer do so, set a password by mail: it takes the place of the passkey.</p>
    </FormResult>
  )
}

function UsePasskey({ token, onVerified, onBadLink }: SecondProofProps) {
  const { engine } = useServices()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const here = useHere()

  const verify = async (): Promise<string | null> => {
    const signed = await signAlone(engine)
    if (!signed.ok) return signed.problem
    const result = await engine.call('verifyEmail', { token, passkey: signed.value })
    if (result.ok) onVerified(result.value.message)
    else if (result.error_code === 'INVALID_LINK') onBadLink()
    else return sentenceOf(result, NOT_VERIFIED)
    return null
  }
  const use = async () => {
    if (!navigator.onLine) return setProblem(needsConnection('Using a passkey'))
    setProblem(null)
    setBusy(true)
    const refusal = await verify()
    if (!here.current) return
    setBusy(false)
    setProblem(refusal)
  }
  return (
    <>
      {problem !== null && <FormNote tone="error">{problem}</FormNote>}
      <BusyButton variant="primary" busy={busy} icon={KeyRound} className={styles.wide} onClick={() => void use()}>
        Use your passkey
      </BusyButton>
    </>
  )
}
