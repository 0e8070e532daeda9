import { useEffect, useRef, useState } from 'react'
import type { PasskeyChallenge } from '../../contract/passkeys'
import type { CallFailure } from '../../db/call'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import styles from './auth-form.module.css'
import { SecondFactor } from './second-factor'

const NO_CODE = 'Google authorization code not found in URL. Please try signing in again.'
const STOPPED = 'You have not logged in: the passkey was not used.'
const REJECTED = 'Failed to sign in with Google. The server rejected the request.'

interface GoogleCallbackProps {
  /** Parameters that Google has put into the address (OpenID Connect Core 1.0, 3.1.2.5; RFC 9207 for `iss`). */
  readonly answer: URLSearchParams
  readonly onDone: () => void
  readonly onFailed: (message: string) => void
  /** Back from what a signed-in user went to Google for. */
  readonly onErrand: (back: string, ok: boolean, message: string) => void
}

/** Back from Google: ends the sign-in that this browser began. */
export function GoogleCallback({ answer, onDone, onFailed, onErrand }: GoogleCallbackProps) {
  const [challenge, setChallenge] = useState<PasskeyChallenge | null>(null)
  const { engine } = useServices()
  const first = useRef({ answer, onDone, onFailed, onErrand })

  // Once: a code is good for one try.
  useEffect(() => {
    const { answer: parameters, onDone: done, onFailed: failed, onErrand: errand } = first.current
    const code = parameters.get('code') ?? ''
    if (code === '') return failed(NO_CODE)
    const state = parameters.get('state') ?? ''
    void engine.call('googleCallback', { code, state, iss: parameters.get('iss') }).then((result) => {
      const { back_to, message } = result.ok ? (result.value ?? { message: '' }) : result
      if (back_to !== undefined) errand(back_to, result.ok, message)
      else if (result.ok) done()
      else if (result.second_factor !== undefined) setChallenge(result.second_factor)
      else failed(problemOf(result))
    })
  }, [engine])

  if (challenge !== null) {
    return <SecondFactor challenge={challenge} onDone={onDone} onBack={(why) => onFailed(why ?? STOPPED)} />
  }
  return (
    <p role="status" className={styles.progress}>
      Logging you in with Google…
    </p>
  )
}

/** A refusal in the specification's words; whatever else went wrong, such as trouble of Google's or ours, in the server's. */
function problemOf(failure: CallFailure): string {
  const { error_code, message } = failure
  if (error_code === 'GOOGLE_NOT_LINKED') return message
  if (error_code === 'GOOGLE_SIGN_IN_REFUSED' || message === '') return REJECTED
  return `Failed to sign in with Google. ${sentenceOf(failure, '')}`
}
