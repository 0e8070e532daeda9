import { BellRing, CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { Button } from './button'
import { classNames } from './class-names'
import styles from './toast.module.css'
import { VisuallyHidden } from './visually-hidden'

type ToastType = 'info' | 'success' | 'error' | 'alert'

const ICONS = { info: Info, success: CircleCheck, error: CircleAlert, alert: BellRing } as const

interface ToastAction {
  readonly label: string
  readonly run: () => void
}

interface ToastProps {
  readonly type: ToastType
  readonly message: string
  /** The main one last. */
  readonly actions: readonly ToastAction[]
  /** How often it was said. */
  readonly count?: number
  readonly onDismiss: () => void
}

/** One message, all of it a button that dismisses it, and what can be done about it. The live region around makes it heard. */
export function Toast({ type, message, actions, count = 1, onDismiss }: ToastProps) {
  const Icon = ICONS[type]
  return (
    <div className={classNames(styles.toast, styles[type])}>
      <button type="button" className={styles.message} onClick={onDismiss}>
        <Icon aria-hidden="true" className={styles.icon} />
        <span className={styles.text}>{message}</span>
        {count > 1 && (
          <span className={styles.count}>
            <span aria-hidden="true">×{count}</span>
            <VisuallyHidden>{count} times</VisuallyHidden>
          </span>
        )}
        <VisuallyHidden>Dismiss</VisuallyHidden>
        <X aria-hidden="true" className={styles.close} />
      </button>
      {actions.length > 0 && (
        <div className={styles.actions}>
          {actions.map(({ label, run }) => (
            <Button
              key={label}
              size="sm"
              onClick={() => {
                onDismiss()
                run()
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
