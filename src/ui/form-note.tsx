import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './form-note.module.css'

const ICONS = { info: Info, success: CircleCheck, error: CircleAlert } as const

interface FormNoteProps {
  readonly tone: keyof typeof ICONS
  readonly children: ReactNode
}

/** What concerns a form as a whole; an error is read out at once, the rest when there is time. */
export function FormNote({ tone, children }: FormNoteProps) {
  const Icon = ICONS[tone]
  return (
    <div role={tone === 'error' ? 'alert' : 'status'} className={classNames(styles.note, styles[tone])}>
      <Icon aria-hidden="true" className={styles.icon} />
      <div className={styles.text}>{children}</div>
    </div>
  )
}
