import { useSetAtom } from 'jotai'
import { useId } from 'react'
import type { AccountView } from '../../db/queries/account'
import { UNREACHED } from '../../domain/error-message'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { FormNote } from '../../ui/form-note'
import { SubmitButton } from '../../ui/busy-button'
import { useForm } from '../../ui/use-form'
import { clearCachedFiles } from './data-card'
import styles from './delete-account-dialog.module.css'

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
      showToast({ type: 'success', message: 'Your data was deleted. This browser begins anew.', ofLeaving: true })
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
      <form {...events} id={formId} className={styles.form}>
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
