import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { classNames } from './class-names'
import styles from './toast.module.css'
import { VisuallyHidden } from './visually-hidden'

export type ToastType = 'info' | 'success' | 'error'

const ICONS = { info: Info, success: CircleCheck, error: CircleAlert } as const

interface ToastProps {
  readonly type: ToastType
  readonly message: string
  readonly onDismiss: () => void
}

/** One message, all of it a button that dismisses it. The live region around it makes it heard. */
export function Toast({ type, message, onDismiss }: ToastProps) {
  const Icon = ICONS[type]
  return (
    <button type="button" className={classNames(styles.toast, styles[type])} onClick={onDismiss}>
      <Icon aria-hidden="true" />
      <span className={styles.message}>{message}</span>
      <VisuallyHidden>Dismiss</VisuallyHidden>
      <X aria-hidden="true" className={styles.close} />
    </button>
  )
}
