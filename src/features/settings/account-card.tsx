import { useAtomValue } from 'jotai'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { User } from '../../contract/session'
import { beginGoogleSignIn } from '../../db/google-sign-in'
import { DELETION_GRACE_DAYS } from '../../domain/account'
import type { OwnerId } from '../../domain/ids'
import { accountAtom } from '../../state/account'
import { sentenceOf, useFreshSignIn } from '../../state/calls'
import { googleAddress, worksOnlyAt } from '../../state/sign-in-methods'
import { useConfig } from '../../state/server-settings'
import { useServices } from '../../state/services'
import { AlertDialog } from '../../ui/alert-dialog'
import { Button, LinkButton } from '../../ui/button'
import { Facts } from '../../ui/facts'
import { FormNote } from '../../ui/form'
import { formatDay } from '../../domain/local-time'
import { CardActions, PageCard } from '../../ui/page'
import { DeleteAccountDialog } from './delete-dialogs'
import { PasswordRow } from './password-row'
import styles from './settings-page.module.css'

interface SignedInProps {
  readonly owner: OwnerId
  readonly user: User
}

/** The account of the user who is signed in; absent for guests. */
export function AccountCard() {
  const account = useAtomValue(accountAtom)
  if (account === undefined || account.user === null) return null
  // Another user's account begins with everything closed.
  return <SignedIn key={account.owner} owner={account.owner} user={account.user} />
}

function SignedIn({ owner, user }: SignedInProps) {
  const [deleting, setDeleting] = useState(false)
  return (
    <PageCard title="Account Management">
      <Facts
        facts={[
          { name: 'Email', value: user.email },
          { name: 'Logs in with', value: user.has_password ? 'Email and password' : 'Google' },
          ...(user.has_google === undefined
            ? []
            : [{ name: 'Google', value: <GoogleLink owner={owner} user={user} /> }]),
          { name: 'Member since', value: formatDay(Date.parse(user.created_at)) },
        ]}
      />
      <PasswordRow owner={owner} user={user} />
      <CardActions className={styles.row}>
        <p className={styles.text}>
          Deletes the account and everything in it after {DELETION_GRACE_DAYS} days. Logging in before that cancels it.
        </p>
        <Button className={styles.dangerous} icon={Trash2} onClick={() => setDeleting(true)}>
          Delete Account
        </Button>
      </CardActions>
      {deleting && <DeleteAccountDialog owner={owner} user={user} onClose={() => setDeleting(false)} />}
    </PageCard>
  )
}

/** Links the account with Google, or ends the link where a password is left to log in with. */
function GoogleLink({ owner, user }: SignedInProps) {
  const { engine, commands } = useServices()
  const withFreshSignIn = useFreshSignIn()
  const google = useConfig()?.google
  const isLinked = user.has_google === true
  const [removing, setRemoving] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const link = async () => {
    setProblem(null)
    if (google === undefined || google === null) return
    const address = googleAddress(google, location.origin)
    if (address !== null) return setProblem(worksOnlyAt(address))
    // Asked before the page leaves: a user who comes back from Google finds the link made.
    const fresh = await withFreshSignIn(async () => {
      const reply = await engine.call('passkeys', {})
      return reply.ok && reply.value.fresh_until === null ? STALE : reply
    })
    if (!fresh.ok) return setProblem(sentenceOf(fresh, FAILED))
    const errand = { kind: 'link', owner, back_to: location.pathname } as const
    try {
      location.assign(await beginGoogleSignIn(commands, google, location.origin, errand))
    } catch (error) {
      reportError(error)
      setProblem(FAILED)
    }
  }
  const unlink = async () => {
    setRemoving(false)
    setProblem(null)
    const reply = await withFreshSignIn(() => engine.call('unlinkGoogle', {}))
    if (!reply.ok) setProblem(sentenceOf(reply, 'Google could not be removed. Please try again.'))
  }
  return (
    <>
      <span className={styles.aside}>{isLinked ? 'Linked' : 'Not linked'}</span>
      {isLinked
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
