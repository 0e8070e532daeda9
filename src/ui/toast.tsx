import { BellRing, CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { Button } from './button'
import { classNames } from './class-names'
import styles from './toast.module.css'
import { VisuallyHidden } from './visually-hidden'

const ICONS = { info: Info, success: CircleCheck, error: CircleAlert, alert: BellRing } as const

interface ToastProps {
  readonly kind: keyof typeof ICONS
  readonly message: string
  /** The main one last. */
  readonly actions: readonly { readonly label: string; readonly run: () => void }[]
  /** Number of equal notices. */
  readonly count: number
  readonly onDismiss: () => void
}

/** A button with the message, which dismisses the toast, and buttons for its actions. The live region is the caller's. */
export function Toast({ kind, message, actions, count, onDismiss }: ToastProps) {
  const Icon = ICONS[kind]
  return (
    <div className={classNames(styles.toast, styles[kind])}>
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
