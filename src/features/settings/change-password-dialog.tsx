import { useSetAtom } from 'jotai'
import { useId } from 'react'
import type { AskFailure } from '../../db/account-request'
import type { AccountView } from '../../db/queries/account'
import { SHORTEST_PASSWORD } from '../../domain/account'
import { passwordProblems } from '../../domain/password-problems'
import { needsConnection, UNREACHED } from '../../domain/unreached-words'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field } from '../../ui/field'
import { FormNote } from '../../ui/form-note'
import { PasswordInput } from '../../ui/password-input'
import { SubmitButton } from '../../ui/submit-button'
import { type Problems, useForm } from '../../ui/use-form'
import styles from './change-password-dialog.module.css'

interface ChangePasswordDialogProps {
  readonly owner: AccountView['owner']
  readonly email: string
  readonly onClose: () => void
}

const OFFLINE = needsConnection('Changing the password')
const CHANGED = 'Your password has been changed. Every other device has been logged out.'
const NOT_CHANGED = 'The password could not be changed. Please try again later.'

/** Asks for the password that holds and for another one; the server logs out every other device. */
export function ChangePasswordDialog({ owner, email, onClose }: ChangePasswordDialogProps) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const formId = useId()
  const { busy, problems, events } = useForm(['current', 'password', 'confirmation'], {
    check: ({ current, password, confirmation }) => ({
      current: current === '' ? 'Password is required.' : undefined,
      ...passwordProblems(password, confirmation),
    }),
    send: async ({ current, password }) => {
      const result = await engine.account({ kind: 'change-password', owner, current, password })
      if (!result.ok) return problemOf(result)
      showToast({ type: 'success', message: result.message ?? CHANGED })
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
      <form {...events} id={formId} className={styles.form} aria-label="Change password">
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
        <p className={styles.text}>Every other device is logged out.</p>
      </form>
    </Dialog>
  )
}

function problemOf({ status, error_code, message }: AskFailure): Problems<'current' | 'password'> {
  if (status === 0) return { form: navigator.onLine ? UNREACHED : OFFLINE }
  if (error_code === 'INCORRECT_PASSWORD') return { current: message }
  if (error_code === 'COMMON_PASSWORD') return { password: message }
  return { form: message === '' ? NOT_CHANGED : message }
}
