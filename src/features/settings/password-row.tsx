import { KeyRound, Mail } from 'lucide-react'
import { useSetAtom } from 'jotai'
import { useEffect, useId, useRef, useState } from 'react'
import type { User } from '../../contract/session'
import type { CallFailure } from '../../db/call'
import type { AccountView } from '../../db/account'
import { CHANGE_PASSWORD_ID, passwordProblems, SHORTEST_PASSWORD } from '../../domain/account'
import { needsConnection, UNREACHED } from '../../domain/error-message'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field } from '../../ui/field'
import { FormNote, type Problems, SubmitButton, useForm } from '../../ui/form'
import { PasswordInput } from '../../ui/password-input'
import stack from '../../ui/stack.module.css'
import text from '../../ui/text.module.css'
import styles from './settings-page.module.css'

interface PasswordRowProps {
  readonly owner: AccountView['owner']
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
    <div ref={row} id={CHANGE_PASSWORD_ID} className={styles.more}>
      {user.has_password ? <ChangePassword owner={owner} user={user} /> : <SetByMail email={user.email} />}
    </div>
  )
}

function ChangePassword({ owner, user }: PasswordRowProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <p className={styles.text}>A new password logs out every other device.</p>
      <Button icon={<KeyRound aria-hidden="true" />} onClick={() => setOpen(true)}>
        Change Password
      </Button>
      {open && <ChangePasswordDialog owner={owner} email={user.email} onClose={() => setOpen(false)} />}
    </>
  )
}

const SENT = 'A link to set a password is on its way to your mailbox.'
const OFFLINE = needsConnection('Sending the mail')

function SetByMail({ email }: { readonly email: string }) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const [busy, setBusy] = useState(false)
  const request = async () => {
    if (busy) return
    setBusy(true)
    const result = await engine.call('requestPasswordReset', { email })
    setBusy(false)
    if (result.ok) showToast({ kind: 'success', message: SENT })
    else {
      const unreached = navigator.onLine ? UNREACHED : OFFLINE
      showToast({ kind: 'error', message: sentenceOf(result, 'The mail could not be sent.', unreached) })
    }
  }
  return (
    <>
      <p className={styles.text}>
        With a password you can log in without Google as well. Setting it logs you out everywhere.
      </p>
      <Button icon={<Mail aria-hidden="true" />} onClick={() => void request()} aria-disabled={busy}>
        Set a Password by Mail
      </Button>
    </>
  )
}

interface ChangePasswordDialogProps {
  readonly owner: AccountView['owner']
  readonly email: string
  readonly onClose: () => void
}

const NEEDS_CONNECTION = needsConnection('Changing the password')
const NOT_CHANGED = 'The password could not be changed. Please try again later.'

/** Asks for the password that holds and for another one; the server logs out every other device. */
function ChangePasswordDialog({ owner, email, onClose }: ChangePasswordDialogProps) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const formId = useId()
  const { busy, problems, events } = useForm(['current', 'password', 'confirmation'], {
    check: ({ current, password, confirmation }) => ({
      current: current === '' ? 'Password is required.' : undefined,
      ...passwordProblems(password, confirmation),
    }),
    send: async ({ current, password }) => {
      const result = await engine.call('changePassword', {
        owner,
        current_password: current,
        new_password: password,
      })
      if (!result.ok) return problemOf(result)
      showToast({ kind: 'success', message: result.value.message })
      onClose()
      return null
    },
  })
  const chosen = { autoComplete: 'new-password', readOnly: busy, required: true } as const
  return (
    <Dialog
      title="Change Password"
      size="sm"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton form={formId} busy={busy}>
            Change Password
          </SubmitButton>
        </>
      }
    >
      <form {...events} id={formId} className={stack.gap4} aria-label="Change password">
        {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
        {/* Tells password managers whose passwords these are. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <Field label="Current password" error={problems.current}>
          {(control) => (
            <PasswordInput
              {...control}
              name="current"
              autoComplete="current-password"
              readOnly={busy}
              required
              data-autofocus
            />
          )}
        </Field>
        <Field label="New password" hint={`At least ${SHORTEST_PASSWORD} characters.`} error={problems.password}>
          {(control) => <PasswordInput {...control} {...chosen} name="password" />}
        </Field>
        <Field label="Confirm new password" error={problems.confirmation}>
          {(control) => <PasswordInput {...control} {...chosen} name="confirmation" />}
        </Field>
        <p className={text.muted}>Every other device is logged out.</p>
      </form>
    </Dialog>
  )
}

function problemOf(failure: CallFailure): Problems<'current' | 'password'> {
  if (failure.error_code === 'INCORRECT_PASSWORD') return { current: failure.message }
  if (failure.error_code === 'COMMON_PASSWORD') return { password: failure.message }
  return { form: sentenceOf(failure, NOT_CHANGED, navigator.onLine ? UNREACHED : NEEDS_CONNECTION) }
}
