import { useId, type ReactNode } from 'react'
import styles from './alert-dialog.module.css'
import { Button } from './button'
import { classNames } from './class-names'
import dialogStyles from './dialog.module.css'
import { useModal } from './use-modal'

interface AlertDialogProps {
  readonly title: string
  /** Consequence of the action, in one or two sentences. */
  readonly children: ReactNode
  /** Such as "Remove". */
  readonly action: string
  /** The other answer. */
  readonly cancel?: string
  readonly tone?: 'danger' | 'primary'
  readonly onConfirm: () => void
  readonly onCancel: () => void
  /** Called if Escape is no answer; the browser may have closed the element already. */
  readonly onEscape?: () => void
}

/** Asks before something that cannot be taken back. Focus starts on "Cancel"; the backdrop does not answer for the user. */
export function AlertDialog(props: AlertDialogProps) {
  const {
    title,
    children,
    action,
    cancel = 'Cancel',
    tone = 'danger',
    onConfirm,
    onCancel,
    onEscape = onCancel,
  } = props
  const ref = useModal(onEscape, false)
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
            {cancel}
          </Button>
          <Button variant={tone} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </dialog>
  )
}
