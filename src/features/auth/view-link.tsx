import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { buttonClass, linkClass } from '../../ui/button'
import { classNames } from '../../ui/class-names'
import { AUTH_ADDRESSES, type AuthTarget, useAuthPlace } from './auth-place'
import styles from './auth-form.module.css'

interface ViewLinkProps {
  readonly to: AuthTarget
  /** The next thing to do, rather than a way aside. */
  readonly look?: 'link' | 'button'
  readonly children: ReactNode
}

/** Leads to another of the forms: on a page by its address, in the dialog by changing what it shows. */
export function ViewLink({ to, look = 'link', children }: ViewLinkProps) {
  const place = useAuthPlace()
  const className = look === 'link' ? linkClass : classNames(buttonClass({ variant: 'primary' }), styles.wide)
  if (place.kind === 'page') {
    return (
      <Link href={AUTH_ADDRESSES[to]} className={className}>
        {children}
      </Link>
    )
  }
  return (
    <button type="button" className={className} onClick={() => place.show(to)}>
      {children}
    </button>
  )
}
