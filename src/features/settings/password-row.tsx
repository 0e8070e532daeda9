import { KeyRound, Mail } from 'lucide-react'
import { useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import type { User } from '../../contract/session'
import type { CallFailure } from '../../db/call'
import { missingPassword, passwordProblems } from '../../domain/account'
import { CHANGE_PASSWORD_ID } from '../../domain/app-paths'
import { needsConnection, UNREACHED } from '../../domain/error-message'
import type { OwnerId } from '../../domain/ids'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { FormDialog } from '../../ui/form-dialog'
import { CurrentPasswordField, NewPasswordFields } from '../../ui/password-input'
import { type Problems, useForm } from '../../ui/form'
import text from '../../ui/text.module.css'
import { CardActions } from '../../ui/page'
import styles from './settings-page.module.css'

interface PasswordRowProps {
  readonly owner: OwnerId
  readonly user: User
}

/** Changes the password of an account; one that has none gets a link that sets the first. */
export function PasswordRow({ owner, user }: PasswordRowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash !== `#${CHANGE_PASSWORD_ID}`) return
    // After the screen change, which scrolls to the top.
    const timer = setTimeout(() => row.current?.querySelector('button')?.focus())
    return () => clearTimeout(timer)
  }, [])
  return (
    <CardActions ref={row} id={CHANGE_PASSWORD_ID} className={styles.row}>
      {user.has_password ? <ChangePassword owner={owner} user={user} /> : <SetByMail email={user.email} />}
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

function SetByMail({ email }: { readonly email: string }) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const [busy, setBusy] = useState(false)
  const request = async () => {
    if (busy) return
    setBusy(true)
    const result = await engine.call('requestPasswordReset', { email })
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
        With a password you can log in without Google as well. Setting it logs you out everywhere.
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
  const form = useForm(['current', 'password', 'confirmation'], {
    check: ({ current, password, confirmation }) => ({
      current: missingPassword(current),
      ...passwordProblems(password, confirmation),
    }),
    send: async ({ current, password }) => {
      const passwords = { current_password: current, new_password: password }
      const result = await engine.call('changePassword', { owner, ...passwords })
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
