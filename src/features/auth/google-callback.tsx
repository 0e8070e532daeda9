import { useEffect, useRef } from 'react'
import type { AskFailure } from '../../db/account-request'
import { UNREACHED } from '../../state/refusal'
import { useServices } from '../../state/services'
import styles from './auth-form.module.css'

const NO_CODE = 'Google authorization code not found in URL. Please try signing in again.'
const REJECTED = 'Failed to sign in with Google. The server rejected the request.'

interface GoogleCallbackProps {
  /** What Google has put into the address (OpenID Connect Core 1.0, 3.1.2.5; RFC 9207 for `iss`). */
  readonly answer: URLSearchParams
  readonly onDone: () => void
  readonly onFailed: (message: string) => void
}

/** Back from Google: ends the sign-in that this browser began. */
export function GoogleCallback({ answer, onDone, onFailed }: GoogleCallbackProps) {
  const { engine } = useServices()
  const first = useRef({ answer, onDone, onFailed })

  // Once: a code is good for one try.
  useEffect(() => {
    const { answer: parameters, onDone: done, onFailed: failed } = first.current
    const code = parameters.get('code') ?? ''
    if (code === '') return failed(NO_CODE)
    const request = { kind: 'google', code, state: parameters.get('state') ?? '', iss: parameters.get('iss') } as const
    void engine.account(request).then((result) => (result.ok ? done() : failed(problemOf(result))))
  }, [engine])

  return (
    <p role="status" className={styles.progress}>
      Signing you in with Google…
    </p>
  )
}

const problemOf = ({ status }: AskFailure): string =>
  status === 0 ? `Failed to sign in with Google. ${UNREACHED}` : REJECTED
