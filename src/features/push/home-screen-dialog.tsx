import { useAtomValue, useSetAtom } from 'jotai'
import { Info, Share, SquarePlus } from 'lucide-react'
import { accountAtom } from '../../state/account'
import { openDialogAtom } from '../../state/open-dialogs'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import stack from '../../ui/stack.module.css'
import { SideNote } from '../../ui/form'
import styles from './home-screen-dialog.module.css'

/** Explains how an iPhone or iPad gets notifications, and what becomes of a guest's pairs on the way. */
export function HomeScreenDialog({ onClose }: { readonly onClose: () => void }) {
  const guest = useAtomValue(accountAtom)?.account === 'guest'
  const openDialog = useSetAtom(openDialogAtom)
  const register = () => {
    onClose()
    openDialog({ kind: 'auth', view: 'register' })
  }
  return (
    <Dialog
      title="Add the app to your home screen"
      size="sm"
      onClose={onClose}
      footer={
        <>
          {guest && <Button onClick={register}>Create an account</Button>}
          <Button variant="primary" data-autofocus onClick={onClose}>
            OK
          </Button>
        </>
      }
    >
      <div className={stack.gap5}>
        <p>On iPhone and iPad, only an app on the home screen can be told of alerts.</p>
        <ol className={styles.steps}>
          <li>
            <span>
              Tap <Share aria-hidden="true" className={styles.sign} /> <strong>Share</strong> in the browser’s bar.
            </span>
          </li>
          <li>
            <span>
              Choose <SquarePlus aria-hidden="true" className={styles.sign} /> <strong>Add to Home Screen</strong>.
            </span>
          </li>
          <li>
            <span>Open the app from there and switch the alerts on.</span>
          </li>
        </ol>
        <SideNote icon={Info}>
          <span>
            The app on the home screen keeps its own data.{' '}
            {guest
              ? 'Your pairs come along with an account; without one you begin anew.'
              : 'Log in there to find your pairs.'}
          </span>
        </SideNote>
      </div>
    </Dialog>
  )
}
