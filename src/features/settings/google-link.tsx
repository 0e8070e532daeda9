import { useState } from 'react'
import type { User } from '../../contract/session'
import { beginGoogleSignIn } from '../../db/commands/begin-google-sign-in'
import type { OwnerId } from '../../domain/ids'
import type { Reply } from '../../db/question'
import { googleAddress, worksOnlyAt } from '../../state/google-address'
import { reasonOf } from '../../state/refusal'
import { useServices } from '../../state/services'
import { useConfig } from '../../state/use-config'
import { useFreshSignIn } from '../../state/use-fresh-sign-in'
import { AlertDialog } from '../../ui/alert-dialog'
import { FormNote } from '../../ui/form-note'
import { LinkButton } from '../../ui/link-button'
import styles from './settings-page.module.css'

interface GoogleLinkProps {
  readonly owner: OwnerId
  readonly user: User
}

/** Links the account with Google, or ends the link where a password is left to log in with. */
export function GoogleLink({ owner, user }: GoogleLinkProps) {
  const { engine, commands } = useServices()
  const withFreshSignIn = useFreshSignIn()
  const google = useConfig()?.google
  const [removing, setRemoving] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const link = async () => {
    setProblem(null)
    if (google === undefined || google === null) return
    const address = googleAddress(google, location.origin)
    if (address !== null) return setProblem(worksOnlyAt(address))
    // Asked before the user sets out: whoever comes back from Google is to find the link made.
    const fresh = await withFreshSignIn<Reply<'passkeys'> & { readonly ok: true }>(async () => {
      const reply = await engine.ask({ kind: 'passkeys' })
      return reply.ok && reply.value.fresh_until === null ? STALE : reply
    })
    if (!fresh.ok) return setProblem(reasonOf(fresh, FAILED))
    const errand = { kind: 'link', owner, back_to: location.pathname } as const
    await beginGoogleSignIn(commands, google, location.origin, errand).then(
      (url) => location.assign(url),
      (error: unknown) => {
        reportError(error)
        setProblem(FAILED)
      },
    )
  }
  const unlink = async () => {
    setRemoving(false)
    setProblem(null)
    const reply = await withFreshSignIn(() => engine.ask({ kind: 'unlink-google' }))
    if (!reply.ok) setProblem(reasonOf(reply, 'Google could not be removed. Please try again.'))
  }
  return (
    <>
      <span className={styles.aside}>{user.has_google === true ? 'Linked' : 'Not linked'}</span>
      {user.has_google === true
        ? user.has_password && <LinkButton onClick={() => setRemoving(true)}>Remove Google</LinkButton>
        : google != null && <LinkButton onClick={() => void link()}>Link Google</LinkButton>}
      {problem !== null && <FormNote tone="error">{problem}</FormNote>}
      {removing && (
        <AlertDialog
          title="Remove Google?"
          action="Remove"
          onCancel={() => setRemoving(false)}
          onConfirm={() => void unlink()}
        >
          <p>Google can no longer log in to your account. Your password still can.</p>
        </AlertDialog>
      )}
    </>
  )
}

const FAILED = 'Google could not be linked. Please try again.'
const STALE = { ok: false, status: 403, error_code: 'FRESH_SIGN_IN_REQUIRED', message: '' } as const
