import { CircleAlert, CircleCheck, KeyRound, MailCheck } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { classNames } from '../../ui/class-names'
import { useAuthPlace } from './auth-place'
import styles from './form-result.module.css'

const ICONS = { success: CircleCheck, mail: MailCheck, password: KeyRound, error: CircleAlert } as const

interface FormResultProps {
  readonly kind: keyof typeof ICONS
  readonly title: string
  readonly children: ReactNode
  /** Next step for the user. */
  readonly actions?: ReactNode
}

/** Result of a form, in its place. The heading takes the focus, which the form had. */
export function FormResult({ kind, title, children, actions }: FormResultProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const Icon = ICONS[kind]
  // One below the heading of what it stands in.
  const Heading = useAuthPlace().kind === 'page' ? 'h2' : 'h3'
  return (
    <section className={styles.outcome} aria-label={title}>
      <span className={classNames(styles.badge, styles[kind])}>
        <Icon aria-hidden="true" />
      </span>
      <Heading ref={heading} tabIndex={-1} className={styles.title}>
        {title}
      </Heading>
      <div className={styles.text}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </section>
  )
}
