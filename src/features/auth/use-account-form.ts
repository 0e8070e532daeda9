import { useState } from 'react'
import type { PasskeyChallenge } from '../../contract/web-authn'
import type { CallFailure } from '../../db/call'
import type { NewAccount } from '../../db/sign-in-rows'
import { missingPassword, passwordProblems } from '../../domain/account'
import { UNREACHED } from '../../domain/error-message'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { useForm } from '../../ui/form'
import { emailProblem, INVALID_EMAIL } from './auth-fields'

/** The user logs in, or makes an account. */
export type AccountMode = 'login' | 'register'

/** `email`: as last sent. */
type Stage =
  | {
      readonly kind: 'form'
      readonly email: string
      /** `unknown`: perhaps there is no such account. `taken`: there is one, with another password. */
      readonly finding?: 'unknown' | 'taken'
      readonly problem?: string | undefined
    }
  | { readonly kind: 'unverified'; readonly email: string }
  | { readonly kind: 'registered'; readonly email: string; readonly message: string }
  | { readonly kind: 'second-factor'; readonly email: string; readonly challenge: PasskeyChallenge }

type Field = 'email' | 'password' | 'confirmation'
type Values = Readonly<Record<Field, string>>

const NOT_LOGGED_IN = 'Login failed. Please check your credentials.'
const UNEXPECTED = `An unexpected error occurred. ${UNREACHED}`

const faultsOf = (mode: AccountMode, { email, password, confirmation }: Values) => ({
  email: emailProblem(email),
  ...(mode === 'login' ? { password: missingPassword(password) } : passwordProblems(password, confirmation)),
})

/**
 * Finds out whether a user with an address and a password logs in or makes an account. The server tells no stranger that an
 * address has no account, so a refused login only offers to make one; a registration of an address that has one tries the
 * password there.
 * @param account the user's decisions beside the fields
 */
export function useAccountForm(mode: AccountMode, account: NewAccount, onDone: () => void) {
  const { engine } = useServices()
  const [stage, setStage] = useState<Stage>({ kind: 'form', email: '' })
  const [sentAs, setSentAs] = useState(mode)

  /** True if a login goes on elsewhere than in the fields. */
  const leadsOn = (email: string, refusal: CallFailure): boolean => {
    const { error_code, second_factor: challenge } = refusal
    if (error_code === 'EMAIL_NOT_VERIFIED') setStage({ kind: 'unverified', email })
    else if (challenge !== undefined) setStage({ kind: 'second-factor', email, challenge })
    else return false
    return true
  }
  const logIn = async ({ email, password }: Values) => {
    const result = await engine.call('logIn', { username: email, password })
    if (result.ok) onDone()
    else if (!leadsOn(email, result)) {
      if (result.error_code === 'INVALID_CREDENTIALS') setStage({ kind: 'form', email, finding: 'unknown' })
      return { form: sentenceOf(result, NOT_LOGGED_IN, UNEXPECTED) }
    }
    return null
  }
  const register = async ({ email, password }: Values) => {
    const result = await engine.call('register', { email, password, account })
    setStage({ kind: 'form', email })
    if (result.ok && result.value.signed_in) onDone()
    else if (result.ok) setStage({ kind: 'registered', email, message: result.value.message })
    else if (result.error_code === 'EMAIL_ALREADY_REGISTERED') {
      const known = await engine.call('logIn', { username: email, password })
      if (known.ok) onDone()
      else if (!leadsOn(email, known)) setStage({ kind: 'form', email, finding: 'taken' })
    } else if (result.error_code === 'COMMON_PASSWORD') return { password: result.message }
    // The page has checked the password's length, so the server means the address.
    else if (result.error_code === 'VALIDATION_ERROR') return { email: INVALID_EMAIL }
    else return { form: sentenceOf(result, 'Registration failed. Please try again.') }
    return null
  }

  const { problems, refuse, ...form } = useForm<Field>(['email', 'password', 'confirmation'], {
    check: (values) => {
      setSentAs(mode)
      return faultsOf(mode, values)
    },
    send: (values) => (mode === 'login' ? logIn(values) : register(values)),
  })
  return {
    ...form,
    stage,
    /** Of this form: a fault of the other one, which the user has left, counts no more. */
    problems: sentAs === mode ? problems : {},
    /** Shows at its field why the address cannot be used. */
    refuseEmail: (form: HTMLFormElement, email: string) => {
      setSentAs(mode)
      refuse(form, { email })
    },
    back: (problem?: string) => setStage({ kind: 'form', email: stage.email, problem }),
    /** The server's answer was about the former address. */
    forget: () => setStage({ kind: 'form', email: stage.email }),
  }
}
