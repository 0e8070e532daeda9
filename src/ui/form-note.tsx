import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './form-note.module.css'

const ICONS = { info: Info, success: CircleCheck, error: CircleAlert } as const

interface FormNoteProps {
  readonly tone: keyof typeof ICONS
  /** It has been read out already, such as by a toast. */
  readonly said?: boolean
  readonly children: ReactNode
}

/** Message about a form as a whole; screen readers read an error at once, the rest politely. */
export function FormNote({ tone, said = false, children }: FormNoteProps) {
  const Icon = ICONS[tone]
  const role = tone === 'error' ? 'alert' : 'status'
  return (
    <div role={said ? undefined : role} className={classNames(styles.note, styles[tone])}>
      <Icon aria-hidden="true" className={styles.icon} />
      <div className={styles.text}>{children}</div>
    </div>
  )
}
