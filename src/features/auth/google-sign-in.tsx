import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { PasskeyChallenge } from '../../contract/web-authn'
import type { CallFailure } from '../../db/call'
import type { NewAccount } from '../../db/sign-in-rows'
import { needsConnection } from '../../domain/error-message'
import { sentenceOf } from '../../state/calls'
import { useConfig } from '../../state/server-settings'
import { useServices } from '../../state/services'
import { googleAddress, leaveForGoogle, worksOnlyAt } from '../../state/sign-in-methods'
import { Button } from '../../ui/button'
import { FormNote } from '../../ui/form'
import styles from './auth-form.module.css'
import { SecondFactor } from './second-factor'

/**
 * Signs in at Google; absent where this server has no such sign-in, or its settings have not been loaded.
 * @param props account: what the user has said about an account that may be made
 */
export function GoogleSignIn({ account }: { readonly account?: NewAccount | undefined }) {
  const { commands } = useServices()
  const google = useConfig()?.google
  const [problem, setProblem] = useState<ReactNode>(null)
  if (google === undefined || google === null) return null

  const begin = async () => {
    setProblem(null)
    const address = googleAddress(google, location.origin)
    if (address !== null) return setProblem(<Elsewhere address={address} />)
    if (!navigator.onLine) return setProblem(needsConnection('Logging in with Google'))
    setProblem(await leaveForGoogle(commands, google, NOT_STARTED, account && { account }))
  }
  return (
    <>
      <Button icon={GoogleMark} className={styles.wide} onClick={() => void begin()}>
        Continue with Google
      </Button>
      {problem !== null && <FormNote tone="error">{problem}</FormNote>}
    </>
  )
}

const Elsewhere = ({ address }: { readonly address: string }) => (
  <>
    {worksOnlyAt(address)} <a href={`${address}/login`}>Open the app there</a>
  </>
)

const NOT_STARTED = 'Logging in with Google could not be started. Please try again.'
const NO_CODE = 'Google authorization code not found in URL. Please try signing in again.'
const STOPPED = 'You have not logged in: the passkey was not used.'

interface GoogleCallbackProps {
  /** Parameters that Google has put into the address (OpenID Connect Core 1.0, 3.1.2.5; RFC 9207 for `iss`). */
  readonly answer: URLSearchParams
  readonly onDone: () => void
  readonly onFailed: (message: string) => void
  /** A signed-in user is back; `ok`: Google has confirmed or linked the account. */
  readonly onErrand: (back: string, ok: boolean, message: string) => void
}

/** Ends the sign-in that this browser began, when Google has sent the user back. */
export function GoogleCallback({ answer, onDone, onFailed, onErrand }: GoogleCallbackProps) {
  const [challenge, setChallenge] = useState<PasskeyChallenge | null>(null)
  const { engine } = useServices()
  const first = useRef({ answer, onDone, onFailed, onErrand })

  // Once: Google's code is good for one try.
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

/** A refusal in the specification's words, other faults (Google's, or ours) in the server's. */
function problemOf(failure: CallFailure): string {
  const { error_code, message } = failure
  if (error_code === 'GOOGLE_NOT_LINKED') return message
  const isRefused = error_code === 'GOOGLE_SIGN_IN_REFUSED' || message === ''
  return `Failed to sign in with Google. ${isRefused ? 'The server rejected the request.' : sentenceOf(failure, '')}`
}

/** Google's mark, in the colours that its guidelines for sign-in buttons prescribe. */
export const GoogleMark = () => (
  <svg viewBox="0 0 48 48" aria-hidden="true">
    <path
      fill="#EA4335"
      d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"
    />
    <path
      fill="#4285F4"
      d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"
    />
    <path
      fill="#FBBC05"
      d="M10.53 28.59A14.5 14.5 0 0 1 9.77 24c0-1.6.27-3.14.76-4.59l-7.98-6.19A23.94 23.94 0 0 0 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"
    />
    <path
      fill="#34A853"
      d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"
    />
  </svg>
)
