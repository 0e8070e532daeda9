import { useLiveQuery } from 'dexie-react-hooks'
import { useSetAtom } from 'jotai'
import { useId } from 'react'
import type { User } from '../../contract/session'
import { unsavedChanges } from '../../db/queries/waiting'
import type { AccountView } from '../../db/queries/account'
import { DELETION_GRACE_DAYS } from '../../domain/account'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { useFreshSignIn } from '../../state/use-fresh-sign-in'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import { FormNote } from '../../ui/form-note'
import { formatDay } from '../../ui/moment'
import { PasswordInput } from '../../ui/password-input'
import { SubmitButton } from '../../ui/submit-button'
import { useForm } from '../../ui/use-form'
import styles from './delete-account-dialog.module.css'
import { DELETION_PHRASE, deletionProblem, missingProof } from './deletion'

interface DeleteAccountDialogProps {
  readonly owner: AccountView['owner']
  readonly user: User
  readonly onClose: () => void
}

const DAY = 24 * 60 * 60_000

/** Asks for the password, or for a phrase where there is none, and has the account deleted in thirty days. */
export function DeleteAccountDialog({ owner, user, onClose }: DeleteAccountDialogProps) {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const formId = useId()
  const withFreshSignIn = useFreshSignIn()
  const unsaved = useLiveQuery(() => unsavedChanges(commands.db), [commands.db])?.count ?? 0
  const day = formatDay(commands.now() + DELETION_GRACE_DAYS * DAY)

  const { busy, problems, events } = useForm(['proof'], {
    check: ({ proof }) => ({ proof: missingProof(proof, user.has_password) }),
    send: async ({ proof }) => {
      const password = user.has_password ? proof : null
      const result = await withFreshSignIn(() => engine.account({ kind: 'delete-account', owner, password }))
      if (!result.ok) return deletionProblem(result, user.has_password)
      showToast({
        type: 'success',
        message: `Your account is scheduled for deletion on ${day}. Log in before then to cancel it.`,
        ofLeaving: true,
      })
      onClose()
      return null
    },
  })
  return (
    <Dialog
      title="Delete Account"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton form={formId} busy={busy} variant="danger">
            Delete Account
          </SubmitButton>
        </>
      }
    >
      <form {...events} id={formId} className={styles.form}>
        {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
        <div className={styles.text}>
          <p>
            <strong>{user.email}</strong> and everything in it, pairs, checkpoints and alerts, is deleted for good on{' '}
            <strong>{day}</strong>.
          </p>
          <p>You will be logged out everywhere. Log in again before that day, and nothing is deleted.</p>
          {unsaved > 0 && <p>{lost(unsaved)}</p>}
        </div>
        {user.has_password ? (
          <>
            {/* Tells password managers whose password is asked for. */}
            <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
            <Field label="Password" error={problems.proof}>
              {(control) => (
                <PasswordInput
                  {...control}
                  name="proof"
                  autoComplete="current-password"
                  readOnly={busy}
                  data-autofocus
                />
              )}
            </Field>
          </>
        ) : (
          <Field label={`Type “${DELETION_PHRASE}” to confirm`} error={problems.proof}>
            {(control) => (
              <TextInput
                {...control}
                name="proof"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                readOnly={busy}
                data-autofocus
              />
            )}
          </Field>
        )}
      </form>
    </Dialog>
  )
}

const lost = (count: number): string =>
  count === 1
    ? 'One change is on this device alone, and is lost.'
    : `${count} changes are on this device alone, and are lost.`
