import { useAtomValue, useSetAtom } from 'jotai'
import { Trash2, KeyRound, Mail } from 'lucide-react'
import { useState, useEffect, useRef } from 'react'
import type { User } from '../../contract/session'
import type { CallFailure } from '../../db/call'
import { DELETION_GRACE_DAYS, missingPassword, passwordProblems, UNVERIFIED_DAYS } from '../../domain/account'
import { CHANGE_PASSWORD_ID } from '../../domain/app-paths'
import { needsConnection, UNREACHED } from '../../domain/error-message'
import type { OwnerId } from '../../domain/ids'
import { formatDay } from '../../domain/local-time'
import { accountAtom } from '../../state/account'
import { sentenceOf, useFreshSignIn } from '../../state/calls'
import { useConfig } from '../../state/server-settings'
import { useServices } from '../../state/services'
import { googleAddress, leaveForGoogle, worksOnlyAt } from '../../state/sign-in-methods'
import { showToastAtom } from '../../state/toasts'
import { AlertDialog } from '../../ui/alert-dialog'
import { Button, LinkButton } from '../../ui/button'
import { Facts } from '../../ui/facts'
import { FormDialog } from '../../ui/form-dialog'
import { FormNote, type Problems, useForm } from '../../ui/form'
import { CardActions, PageCard } from '../../ui/page'
import { CurrentPasswordField, NewPasswordFields } from '../../ui/password-input'
import text from '../../ui/text.module.css'
import { DeleteAccountDialog } from './delete-dialogs'
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

const waysIn = (user: User): string =>
  user.has_password ? 'Email and password' : user.opens_by_passkey ? 'A passkey' : 'Google'

function SignedIn({ owner, user }: SignedInProps) {
  const [deleting, setDeleting] = useState(false)
  return (
    <PageCard title="Account Management">
      <Facts
        facts={[
          { name: 'Email', value: user.email },
          { name: 'Logs in with', value: waysIn(user) },
          ...(user.has_google === undefined
            ? []
            : [{ name: 'Google', value: <GoogleLink owner={owner} user={user} /> }]),
          { name: 'Member since', value: formatDay(Date.parse(user.created_at)) },
        ]}
      />
      <PasswordRow owner={owner} user={user} />
      <CardActions className={styles.row}>
        <p className={styles.text}>
          Deletes the account and everything in it{' '}
          {user.email_verified === false ? `within ${UNVERIFIED_DAYS}` : `after ${DELETION_GRACE_DAYS}`} days. Logging
          in before that cancels it.
        </p>
        <Button className={styles.dangerous} icon={Trash2} onClick={() => setDeleting(true)}>
          Delete Account
        </Button>
      </CardActions>
      {deleting && <DeleteAccountDialog owner={owner} user={user} onClose={() => setDeleting(false)} />}
    </PageCard>
  )
}

/** Links the account with Google, or ends the link where a password or a passkey is left to log in with. */
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
    setProblem(await leaveForGoogle(commands, google, FAILED, { errand }))
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
        ? (user.has_password || user.opens_by_passkey) && (
            <LinkButton onClick={() => setRemoving(true)}>Remove Google</LinkButton>
          )
        : google != null && <LinkButton onClick={() => void link()}>Link Google</LinkButton>}
      {problem !== null && <FormNote tone="error">{problem}</FormNote>}
      {removing && (
        <AlertDialog
          title="Remove Google?"
          action="Remove"
          onCancel={() => setRemoving(false)}
          onConfirm={() => void unlink()}
        >
          <p>
            Google can no longer log in to your account. Your {user.has_password ? 'password' : 'passkey'} still can.
          </p>
        </AlertDialog>
      )}
    </>
  )
}

const FAILED = 'Google could not be linked. Please try again.'
const STALE = { ok: false, status: 403, error_code: 'FRESH_SIGN_IN_REQUIRED', message: '' } as const

interface PasswordRowProps {
  readonly owner: OwnerId
  readonly user: User
}

/** Changes the password of an account; one that has none gets a link that sets the first. */
function PasswordRow({ owner, user }: PasswordRowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash !== `#${CHANGE_PASSWORD_ID}`) return
    // After the screen change, which scrolls to the top.
    const timer = setTimeout(() => row.current?.querySelector('button')?.focus())
    return () => clearTimeout(timer)
  }, [])
  return (
    <CardActions ref={row} id={CHANGE_PASSWORD_ID} className={styles.row}>
      {user.has_password ? <ChangePassword owner={owner} user={user} /> : <SetByMail user={user} />}
    </CardActions>
  )
}

function ChangePassword({ owner, user }: PasswordRowProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <p className={styles.text}>A new password logs out every other device.</p>
      <Button icon={KeyRound} onClick={() => setOpen(true)}>
        Change Password
      </Button>
      {open && <ChangePasswordDialog owner={owner} user={user} onClose={() => setOpen(false)} />}
    </>
  )
}

function SetByMail({ user }: { readonly user: User }) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const [busy, setBusy] = useState(false)
  const request = async () => {
    if (busy) return
    setBusy(true)
    const result = await engine.call('requestPasswordReset', { email: user.email })
    setBusy(false)
    if (result.ok) showToast({ kind: 'success', message: 'A link to set a password is on its way to your mailbox.' })
    else {
      const message = sentenceOf(result, 'The mail could not be sent.', unreached('Sending the mail'))
      showToast({ kind: 'error', message })
    }
  }
  return (
    <>
      <p className={styles.text}>
        {user.opens_by_passkey
          ? 'A password takes the place of your passkeys.'
          : 'With a password you can log in without Google as well.'}{' '}
        Setting it logs you out everywhere.
      </p>
      <Button icon={Mail} onClick={() => void request()} aria-disabled={busy}>
        Set a Password by Mail
      </Button>
    </>
  )
}

/** Asks for the current password and for a new one; the server logs out every other device. */
function ChangePasswordDialog({ owner, user, onClose }: PasswordRowProps & { readonly onClose: () => void }) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const withFreshSignIn = useFreshSignIn()
  const form = useForm(['current', 'password', 'confirmation'], {
    check: ({ current, password, confirmation }) => ({
      current: missingPassword(current),
      ...passwordProblems(password, confirmation),
    }),
    send: async ({ current, password }) => {
      const passwords = { current_password: current, new_password: password }
      const result = await withFreshSignIn(() => engine.call('changePassword', { owner, ...passwords }))
      if (!result.ok) return problemOf(result)
      showToast({ kind: 'success', message: result.value.message })
      onClose()
      return null
    },
  })
  return (
    <FormDialog title="Change Password" label="Change password" size="sm" form={form} onClose={onClose}>
      <CurrentPasswordField
        label="Current password"
        account={user.email}
        error={form.problems.current}
        name="current"
        readOnly={form.busy}
        required
        data-autofocus
      />
      <NewPasswordFields
        labels={['New password', 'Confirm new password']}
        problems={form.problems}
        readOnly={form.busy}
      />
      <p className={text.muted}>Every other device is logged out.</p>
    </FormDialog>
  )
}

function problemOf(failure: CallFailure): Problems<'current' | 'password'> {
  if (failure.error_code === 'INCORRECT_PASSWORD') return { current: failure.message }
  if (failure.error_code === 'COMMON_PASSWORD') return { password: failure.message }
  const notChanged = 'The password could not be changed. Please try again later.'
  return { form: sentenceOf(failure, notChanged, unreached('Changing the password')) }
}

/** Sentence of a call that nothing answered. */
const unreached = (action: string): string => (navigator.onLine ? UNREACHED : needsConnection(action))
