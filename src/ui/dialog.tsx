import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { IconButton } from './button'
import { classNames } from './class-names'
import styles from './dialog.module.css'
import { useModal } from './use-modal'

interface DialogProps {
  /** The visible heading, and the accessible name. */
  readonly title: string
  /** Escape, the backdrop and the cross; the caller stops rendering the dialog. */
  readonly onClose: () => void
  readonly children: ReactNode
  /** Actions, the main one last. */
  readonly footer?: ReactNode
  readonly size?: 'sm' | 'md' | 'lg'
}

/** Modal while it is rendered; what should get focus first carries `data-autofocus`. */
export function Dialog({ title, onClose, children, footer, size = 'md' }: DialogProps) {
  const ref = useModal(onClose)
  const titleId = useId()
  return (
    <dialog ref={ref} aria-labelledby={titleId} className={classNames(styles.dialog, size !== 'md' && styles[size])}>
      <div className={styles.frame}>
        <header className={styles.header}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <IconButton label="Close" icon={X} onClick={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
        {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
      </div>
    </dialog>
  )
}
