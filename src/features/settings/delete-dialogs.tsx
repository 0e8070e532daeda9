import { useLiveQuery } from 'dexie-react-hooks'
import { useSetAtom } from 'jotai'
import type { User } from '../../contract/session'
import type { CallFailure } from '../../db/call'
import { unsavedChanges } from '../../db/queries/waiting'
import { DELETION_GRACE_DAYS, missingPassword, UNVERIFIED_DAYS } from '../../domain/account'
import { UNREACHED } from '../../domain/error-message'
import { DAY } from '../../domain/granularity'
import type { OwnerId } from '../../domain/ids'
import { sentenceOf, useFreshSignIn } from '../../state/calls'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Field, TextInput } from '../../ui/field'
import { FormDialog } from '../../ui/form-dialog'
import { formatDay } from '../../domain/local-time'
import { CurrentPasswordField } from '../../ui/password-input'
import { type Problems, useForm } from '../../ui/form'
import stack from '../../ui/stack.module.css'
import styles from './delete-dialogs.module.css'

interface DeleteAccountDialogProps {
  readonly owner: OwnerId
  readonly user: User
  readonly onClose: () => void
}

/** Asks for the password, or for a phrase where the account has none, and has the account deleted in thirty days. */
export function DeleteAccountDialog({ owner, user, onClose }: DeleteAccountDialogProps) {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const withFreshSignIn = useFreshSignIn()
  const unsaved = useLiveQuery(() => unsavedChanges(commands.db), [commands.db])?.count ?? 0
  const day = formatDay(removedAt(user, commands.now()))

  const form = useForm(['proof'], {
    check: ({ proof }) => ({ proof: missingProof(proof, user.has_password) }),
    send: async ({ proof }) => {
      const result = await withFreshSignIn(() =>
        user.has_password
          ? engine.call('deleteMe', { owner, password: proof })
          : engine.call('deleteMeOauth', { owner }),
      )
      if (!result.ok) return deletionProblem(result, user.has_password)
      const message = `Your account is scheduled for deletion on ${day}. Log in before then to cancel it.`
      showToast({ kind: 'success', message, ofLeaving: true })
      onClose()
      return null
    },
  })
  const input = { name: 'proof', readOnly: form.busy, 'data-autofocus': true }
  return (
    <FormDialog title="Delete Account" form={form} tone="danger" className={stack.gap5} onClose={onClose}>
      <div className={styles.text}>
        <p>
          <strong>{user.email}</strong> and everything in it, pairs, checkpoints and alerts, is deleted for good on{' '}
          <strong>{day}</strong>.
        </p>
        <p>You will be logged out everywhere. Log in again before that day, and nothing is deleted.</p>
        {unsaved > 0 && <p>{lost(unsaved)}</p>}
      </div>
      {user.has_password ? (
        <CurrentPasswordField {...input} account={user.email} error={form.problems.proof} />
      ) : (
        <Field label={`Type “${DELETION_PHRASE}” to confirm`} error={form.problems.proof}>
          {(control) => (
            <TextInput {...control} {...input} autoComplete="off" autoCapitalize="none" spellCheck={false} />
          )}
        </Field>
      )}
    </FormDialog>
  )
}

/** When an account goes whose deletion is asked for now, milliseconds: one that nobody verifies goes before its grace is over. */
function removedAt({ email_verified, created_at }: User, now: number): number {
  const after = now + DELETION_GRACE_DAYS * DAY
  return email_verified === false ? Math.min(after, Date.parse(created_at) + UNVERIFIED_DAYS * DAY) : after
}

const lost = (count: number): string =>
  count === 1
    ? 'One change is on this device alone, and is lost.'
    : `${count} changes are on this device alone, and are lost.`

/** Phrase that a user without a password types instead, character for character. */
const DELETION_PHRASE = 'delete my account'

/** Missing input before the user can ask for the deletion; undefined: none. */
function missingProof(proof: string, hasPassword: boolean): string | undefined {
  if (hasPassword) return missingPassword(proof)
  return proof === DELETION_PHRASE ? undefined : `Type exactly: ${DELETION_PHRASE}`
}

const SESSION_OVER: readonly (string | null)[] = ['INVALID_REFRESH_TOKEN', 'INVALID_TOKEN', 'UNAUTHENTICATED']

/** Sentence and field for a deletion that the server refused. */
function deletionProblem(failure: CallFailure, hasPassword: boolean): Problems<'proof'> {
  const { status, error_code, message } = failure
  // The session is over, perhaps by a deletion whose answer was lost: that says nothing about the password.
  if (SESSION_OVER.includes(error_code)) return { form: message }
  if (hasPassword && (error_code === 'INCORRECT_PASSWORD' || status === 401)) {
    return { proof: 'The entered password is incorrect. Please try again.' }
  }
  const otherwise = 'Unable to delete account. Please try again later.'
  return { form: sentenceOf(failure, otherwise, 'Network error. Please try again.') }
}

interface DeleteGuestDataDialogProps {
  /** The guest whom the page shows. */
  readonly owner: OwnerId
  readonly onClose: () => void
}

const UNREACHABLE = `${UNREACHED} Nothing was deleted here.`
const FAILED = 'Your data could not be deleted. Please try again later.'

/** Asks before a guest's data is deleted at the server and in this browser. */
export function DeleteGuestDataDialog({ owner, onClose }: DeleteGuestDataDialogProps) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const form = useForm([], {
    send: async () => {
      const result = await engine.call('deleteMyData', { owner })
      if (!result.ok) return { form: sentenceOf(result, FAILED, UNREACHABLE) }
      // Icons of the coins that the guest watched. The deletion is done, even if the browser keeps some of them.
      await clearCachedFiles().catch((error: unknown) => reportError(error))
      showToast({ kind: 'success', message: 'Your data was deleted. This browser begins anew.', ofLeaving: true })
      onClose()
      engine.requestSync('command')
      return null
    },
  })
  return (
    <FormDialog title="Delete my data" form={form} tone="danger" className={stack.gap5} onClose={onClose}>
      <div className={styles.text}>
        <p>
          <strong>Your pairs, checkpoints, thresholds, alerts and feedback</strong> are deleted at once, at the server
          and in this browser, and notifications are switched off here.
        </p>
        <p>There is no way to get them back.</p>
      </div>
    </FormDialog>
  )
}

/** Deletes files fetched along the way, such as coin icons; the app's own files stay, or it would not open offline. */
export async function clearCachedFiles(): Promise<void> {
  // Plain http has no caches.
  if (!('caches' in globalThis)) return
  const names = await caches.keys()
  await Promise.all(names.filter((name) => !name.includes('precache')).map((name) => caches.delete(name)))
}
