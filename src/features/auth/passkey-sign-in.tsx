import { KeyRound } from 'lucide-react'
import { type ReactNode, type RefObject, useState } from 'react'
import type { SignedChallenge } from '../../contract/web-authn'
import type { CallFailure } from '../../db/call'
import type { NewAccount } from '../../db/sign-in-rows'
import { needsConnection } from '../../domain/error-message'
import { sentenceOf } from '../../state/calls'
import { type EngineClient, useServices } from '../../state/services'
import { type Ceremony, createPasskey, signWithPasskey, supportsPasskeys } from '../../state/sign-in-methods'
import { useHere } from '../../ui/browser-state'
import { BusyButton, FormNote } from '../../ui/form'
import { RegisteredAlready } from './account-results'
import { emailProblem } from './auth-fields'
import styles from './auth-form.module.css'

export interface PasskeySignInProps {
  /** The form beside the button, whose address a new account gets. */
  readonly form: RefObject<HTMLFormElement | null>
  /** Of a new account; absent: the user has one, which the passkey names. */
  readonly account: NewAccount | undefined
  readonly onWrongEmail: (form: HTMLFormElement, problem: string) => void
  readonly onDone: () => void
}

/** Logs in, or makes an account, by a passkey and no password; absent where the browser has no passkeys. */
export function PasskeySignIn({ form, account, onWrongEmail, onDone }: PasskeySignInProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ReactNode>(null)
  const here = useHere()
  const signIn = usePasskey()
  if (!supportsPasskeys()) return null

  const use = async () => {
    setProblem(null)
    if (form.current === null) return
    const field = form.current.elements.namedItem('email')
    const email = field instanceof HTMLInputElement ? field.value : ''
    const fault = account && emailProblem(email)
    if (fault !== undefined) return onWrongEmail(form.current, fault)
    if (!navigator.onLine) return setProblem(needsConnection('Using a passkey'))
    setBusy(true)
    const refusal = await signIn(account && { email, account })
    if (!here.current) return
    setBusy(false)
    if (refusal === null) onDone()
    else setProblem(refusal)
  }
  return (
    <>
      <BusyButton busy={busy} icon={KeyRound} className={styles.wide} onClick={() => void use()}>
        {account ? 'Register with a passkey' : 'Log in with a passkey'}
      </BusyButton>
      {problem !== null && (typeof problem === 'string' ? <FormNote tone="error">{problem}</FormNote> : problem)}
    </>
  )
}

/** Goes through the browser's dialog and both calls. @returns of the call: what to show; null: the user is in */
function usePasskey() {
  const { engine } = useServices()
  return async (made?: { readonly email: string; readonly account: NewAccount }): Promise<ReactNode> => {
    if (made === undefined) {
      const signed = await signAlone(engine)
      if (!signed.ok) return signed.problem
      const reply = await engine.call('logInByPasskey', signed.value)
      return reply.ok ? null : problemOf(reply)
    }
    const begun = await engine.call('passkeyOptions', { email: made.email })
    if (!begun.ok) return problemOf(begun)
    const { ticket, options } = begun.value
    const created = await createPasskey(options)
    if (!created.ok) return created.problem
    const reply = await engine.call('registerByPasskey', { ...made, ticket, attestation: created.value })
    return reply.ok ? null : problemOf(reply)
  }
}

/** Has a passkey that the browser finds sign a challenge. */
export async function signAlone(engine: EngineClient): Promise<Ceremony<SignedChallenge>> {
  const begun = await engine.call('passkeyOptions', {})
  if (!begun.ok) return { ok: false, problem: notUsed(begun) }
  const signed = await signWithPasskey(begun.value.options)
  return signed.ok ? { ok: true, value: { ticket: begun.value.ticket, assertion: signed.value } } : signed
}

const notUsed = (failure: CallFailure): string =>
  sentenceOf(failure, 'The passkey could not be used. Please try again.')

const problemOf = (failure: CallFailure): ReactNode =>
  failure.error_code === 'EMAIL_ALREADY_REGISTERED' ? <RegisteredAlready /> : notUsed(failure)
