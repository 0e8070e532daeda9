import { useState } from 'react'
import type { ConfirmBody } from '../../contract/passkeys'
import type { User } from '../../contract/session'
import { missingPassword } from '../../domain/account'
import type { OwnerId } from '../../domain/ids'
import { sentenceOf } from '../../state/calls'
import { leaveForGoogle, signWithPasskey } from '../../state/sign-in-methods'
import { useConfig } from '../../state/server-settings'
import { useServices } from '../../state/services'
import { FormNote, SubmitButton, useForm } from '../../ui/form'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { CurrentPasswordField } from '../../ui/password-input'
import stack from '../../ui/stack.module.css'
import styles from './auth-form.module.css'
import { GoogleMark } from './google-sign-in'
import { PasskeyButton } from './second-factor'

interface ConfirmIdentityDialogProps {
  readonly owner: OwnerId
  readonly user: User
  readonly onAnswer: (confirmed: boolean) => void
}

const REFUSED = 'This could not be confirmed. Please try again.'

/** Has the user prove their identity before a weighty change: by passkey where there is one, else by password or Google. */
export const ConfirmIdentityDialog = ({ owner, user, onAnswer }: ConfirmIdentityDialogProps) => (
  <Dialog title="Confirm it is you" size="sm" onClose={() => onAnswer(false)}>
    <div className={stack.gap5}>
      <p className={styles.lead}>Your last login was a while ago. Confirm that it is you, and it goes on.</p>
      {user.has_passkeys === true ? (
        <ByPasskey onConfirmed={() => onAnswer(true)} />
      ) : (
        <>
          {user.has_password && <ByPassword email={user.email} onConfirmed={() => onAnswer(true)} />}
          {user.has_google !== false && <ByGoogle owner={owner} or={user.has_password} />}
        </>
      )}
    </div>
  </Dialog>
)

function useConfirm() {
  const { engine } = useServices()
  return async (proof: ConfirmBody): Promise<string | null> => {
    const reply = await engine.call('confirm', proof)
    return reply.ok ? null : sentenceOf(reply, REFUSED)
  }
}

function ByPassword({ email, onConfirmed }: { readonly email: string; readonly onConfirmed: () => void }) {
  const confirm = useConfirm()
  const { busy, problems, events } = useForm(['password'], {
    check: ({ password }) => ({ password: missingPassword(password) }),
    send: async ({ password }) => {
      const problem = await confirm({ method: 'password', password })
      if (problem !== null) return { password: problem }
      onConfirmed()
      return null
    },
  })
  return (
    <form {...events} className={stack.gap4} aria-label="Confirm by password">
      <CurrentPasswordField account={email} error={problems.password} name="password" readOnly={busy} data-autofocus />
      <SubmitButton busy={busy} className={styles.wide}>
        Confirm
      </SubmitButton>
    </form>
  )
}

function ByPasskey({ onConfirmed }: { readonly onConfirmed: () => void }) {
  const { engine } = useServices()
  const confirm = useConfirm()
  const use = async (): Promise<string | null> => {
    const begun = await engine.call('confirmOptions', {})
    if (!begun.ok) return sentenceOf(begun, REFUSED)
    const { ticket, options } = begun.value
    const signed = await signWithPasskey(options)
    if (!signed.ok) return signed.problem
    const problem = await confirm({ method: 'passkey', ticket, assertion: signed.value })
    if (problem === null) onConfirmed()
    return problem
  }
  return (
    <>
      <PasskeyButton onUse={use} />
      <p className={styles.legal}>Lost it? Log out, and log in again with a recovery code.</p>
    </>
  )
}

function ByGoogle({ owner, or }: { readonly owner: OwnerId; readonly or: boolean }) {
  const { commands } = useServices()
  const google = useConfig()?.google
  const [problem, setProblem] = useState<string | null>(null)
  if (google === undefined || google === null) return null

  const leave = async () => {
    const errand = { kind: 'confirm', owner, back_to: location.pathname } as const
    setProblem(await leaveForGoogle(commands, google, 'Google could not be opened. Please try again.', { errand }))
  }
  return (
    <>
      {or && <p className={styles.or}>or</p>}
      <Button icon={GoogleMark} className={styles.wide} onClick={() => void leave()}>
        Confirm with Google
      </Button>
      {problem !== null && <FormNote tone="error">{problem}</FormNote>}
    </>
  )
}
