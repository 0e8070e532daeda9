import { useLiveQuery } from 'dexie-react-hooks'
import { useSetAtom } from 'jotai'
import { useId } from 'react'
import type { User } from '../../contract/session'
import type { CallFailure } from '../../db/call'
import type { AccountView } from '../../db/account'
import { unsavedChanges } from '../../db/queries/waiting'
import { DELETION_GRACE_DAYS } from '../../domain/account'
import { DAY } from '../../domain/granularity'
import { sentenceOf, useFreshSignIn } from '../../state/calls'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import { FormNote, type Problems, SubmitButton, useForm } from '../../ui/form'
import { formatDay } from '../../ui/format-time'
import { PasswordInput } from '../../ui/password-input'
import stack from '../../ui/stack.module.css'
import styles from './delete-dialogs.module.css'
import { UNREACHED } from '../../domain/error-message'
import { clearCachedFiles } from './data-cards'

interface DeleteAccountDialogProps {
  readonly owner: AccountView['owner']
  readonly user: User
  readonly onClose: () => void
}

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
      const result = await withFreshSignIn(() =>
        user.has_password
          ? engine.call('deleteMe', { owner, password: proof })
          : engine.call('deleteMeOauth', { owner }),
      )
      if (!result.ok) return deletionProblem(result, user.has_password)
      showToast({
        kind: 'success',
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
      <form {...events} id={formId} className={stack.gap5}>
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

/** Phrase that a user without a password types instead, to the letter. */
const DELETION_PHRASE = 'delete my account'

/** Missing input before the user can ask for the deletion; undefined: none. */
function missingProof(proof: string, hasPassword: boolean): string | undefined {
  if (hasPassword) return proof === '' ? 'Password is required.' : undefined
  return proof === DELETION_PHRASE ? undefined : `Type exactly: ${DELETION_PHRASE}`
}

const isSessionOver = (code: string | null): boolean =>
  code === 'INVALID_REFRESH_TOKEN' || code === 'INVALID_TOKEN' || code === 'UNAUTHENTICATED'

/** Sentence and field for a deletion that the server refused. */
function deletionProblem(failure: CallFailure, hasPassword: boolean): Problems<'proof'> {
  const { status, error_code, message } = failure
  // The session is over, perhaps by a deletion whose answer was lost: that says nothing about the password.
  if (isSessionOver(error_code)) return { form: message }
  if (hasPassword && (error_code === 'INCORRECT_PASSWORD' || status === 401)) {
    return { proof: 'The entered password is incorrect. Please try again.' }
  }
  const otherwise = 'Unable to delete account. Please try again later.'
  return { form: sentenceOf(failure, otherwise, 'Network error. Please try again.') }
}

interface DeleteGuestDataDialogProps {
  /** The guest whom the page shows. */
  readonly owner: AccountView['owner']
  readonly onClose: () => void
}

const UNREACHABLE = `${UNREACHED} Nothing was deleted here.`
const FAILED = 'Your data could not be deleted. Please try again later.'

/** Asks before a guest's data is deleted at the server and in this browser. */
export function DeleteGuestDataDialog({ owner, onClose }: DeleteGuestDataDialogProps) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const formId = useId()

  const { busy, problems, events } = useForm([], {
    check: () => ({}),
    send: async () => {
      const result = await engine.call('deleteMyData', { owner })
      if (!result.ok) return { form: sentenceOf(result, FAILED, UNREACHABLE) }
      // Icons of the coins that were watched. The rest is done, whatever becomes of them.
      await clearCachedFiles().catch((error: unknown) => reportError(error))
      showToast({ kind: 'success', message: 'Your data was deleted. This browser begins anew.', ofLeaving: true })
      onClose()
      engine.requestSync('command')
      return null
    },
  })
  return (
    <Dialog
      title="Delete my data"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <SubmitButton form={formId} busy={busy} variant="danger">
            Delete my data
          </SubmitButton>
        </>
      }
    >
      <form {...events} id={formId} className={stack.gap5}>
        {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
        <div className={styles.text}>
          <p>
            <strong>Your pairs, checkpoints, thresholds, alerts and feedback</strong> are deleted at once, at the server
            and in this browser, and notifications are switched off here.
          </p>
          <p>There is no way to get them back.</p>
        </div>
      </form>
    </Dialog>
  )
}
