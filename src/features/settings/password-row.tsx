import { KeyRound, Mail } from 'lucide-react'
import { useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import type { User } from '../../contract/session'
import type { AccountView } from '../../db/queries/account'
import { needsConnection } from '../../domain/unreached-words'
import { reasonOf } from '../../state/refusal'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { ChangePasswordDialog } from './change-password-dialog'
import { CHANGE_PASSWORD_ID } from './change-password-id'
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
    const result = await engine.account({ kind: 'request-reset', email })
    setBusy(false)
    if (result.ok) showToast({ type: 'success', message: SENT })
    else {
      const offline = result.status === 0 && !navigator.onLine
      showToast({ type: 'error', message: offline ? OFFLINE : reasonOf(result, 'The mail could not be sent.') })
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
