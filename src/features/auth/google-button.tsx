import { type ReactNode, useState } from 'react'
import type { Config } from '../../contract/settings'
import { beginGoogleSignIn } from '../../db/commands/begin-google-sign-in'
import { needsConnection } from '../../domain/error-message'
import { useServices } from '../../state/services'
import { useConfig } from '../../state/server-settings'
import { Button } from '../../ui/button'
import { FormNote } from '../../ui/form-note'
import styles from './auth-form.module.css'
import { googleAddress, worksOnlyAt } from '../../state/sign-in-methods'
import { GoogleMark } from './google-mark'

const OFFLINE = needsConnection('Logging in with Google')
const NOT_BEGUN = 'Logging in with Google could not be started. Please try again.'

/** Signing in at Google; nothing where this server has no such sign-in, or is not known to. */
export function GoogleSignIn() {
  const google = useConfig()?.google
  if (google === undefined || google === null) return null
  return (
    <>
      <p className={styles.or}>or</p>
      <GoogleButton google={google} />
    </>
  )
}

function GoogleButton({ google }: { readonly google: NonNullable<Config['google']> }) {
  const { commands } = useServices()
  const [problem, setProblem] = useState<ReactNode>(null)

  const begin = async () => {
    setProblem(null)
    const address = googleAddress(google, location.origin)
    if (address !== null) return setProblem(<Elsewhere address={address} />)
    if (!navigator.onLine) return setProblem(OFFLINE)
    try {
      location.assign(await beginGoogleSignIn(commands, google, location.origin))
    } catch (error) {
      reportError(error)
      setProblem(NOT_BEGUN)
    }
  }
  return (
    <>
      <Button icon={<GoogleMark />} className={styles.wide} onClick={() => void begin()}>
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
