import { CircleAlert, CircleCheck, KeyRound, MailCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { buttonClass, linkClass } from '../../ui/button'
import { classNames } from '../../ui/class-names'
import formStyles from './auth-form.module.css'
import { AUTH_ADDRESSES, type AuthTarget, useAuthPlace } from './auth-place'
import styles from './form-result.module.css'

const ICONS = { success: CircleCheck, mail: MailCheck, password: KeyRound, error: CircleAlert } as const

interface FormResultProps {
  readonly kind: keyof typeof ICONS
  readonly title: string
  readonly children: ReactNode
  /** Next steps for the user. */
  readonly actions: ReactNode
}

/** Result of a form, in its place. The heading takes the focus, which the form had. */
export function FormResult({ kind, title, children, actions }: FormResultProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const Icon = ICONS[kind]
  // One level below the heading of the page or the dialog.
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
      <div className={styles.actions}>{actions}</div>
    </section>
  )
}

interface ViewLinkProps {
  readonly to: AuthTarget
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Leads to another of the forms: on a page by its address, in the dialog by changing the dialog's view. */
export function ViewLink({ to, className = linkClass, children }: ViewLinkProps) {
  const place = useAuthPlace()
  return place.kind === 'page' ? (
    <Link href={AUTH_ADDRESSES[to]} className={className ?? ''}>
      {children}
    </Link>
  ) : (
    <button type="button" className={className} onClick={() => place.show(to)}>
      {children}
    </button>
  )
}

/** The next step after a result that ends in a login. The page leads a user who is logged in (`isIn`) to the dashboard. */
export const ProceedToLogin = ({ isIn = false }: { readonly isIn?: boolean }) => (
  <ViewLink to="login" className={classNames(buttonClass({ variant: 'primary' }), formStyles.wide)}>
    {isIn ? 'Open the dashboard' : 'Proceed to Login'}
  </ViewLink>
)
