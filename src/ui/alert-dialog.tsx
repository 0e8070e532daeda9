import { useId, type ReactNode } from 'react'
import styles from './alert-dialog.module.css'
import { Button } from './button'
import { classNames } from './class-names'
import dialogStyles from './dialog.module.css'
import { useModal } from './use-modal'

interface AlertDialogProps {
  readonly title: string
  /** What will happen, in one or two sentences. */
  readonly children: ReactNode
  /** Such as "Remove". */
  readonly action: string
  readonly tone?: 'danger' | 'primary'
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Asks before something that cannot be taken back. Focus starts on "Cancel"; the backdrop does not answer for the user. */
export function AlertDialog({ title, children, action, tone = 'danger', onConfirm, onCancel }: AlertDialogProps) {
  const ref = useModal(onCancel, false)
  const id = useId()
  return (
    <dialog
      ref={ref}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className={classNames(dialogStyles.dialog, dialogStyles.sm)}
    >
      <div className={styles.content}>
        <h2 id={`${id}-title`} className={dialogStyles.title}>
          {title}
        </h2>
        <div id={`${id}-text`} className={styles.text}>
          {children}
        </div>
        <div className={styles.actions}>
          <Button data-autofocus onClick={onCancel}>
            Cancel
          </Button>
          <Button variant={tone} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </dialog>
  )
}
