import { useId } from 'react'
import { Link, useLocation } from 'wouter'
import { isCurrent, type Destination } from './destinations'

interface NavLinkProps {
  readonly to: Destination
  readonly className: string | undefined
  readonly onNavigate?: (() => void) | undefined
}

export function NavLink({ to, className, onNavigate }: NavLinkProps) {
  const [location] = useLocation()
  const newsId = useId()
  const { icon: Icon, News } = to
  return (
    <Link
      href={to.path}
      className={className ?? ''}
      aria-current={isCurrent(to.path, location) ? 'page' : undefined}
      aria-describedby={News && newsId}
      {...(onNavigate && { onClick: onNavigate })}
    >
      <Icon aria-hidden="true" />
      {to.label}
      {News && <News id={newsId} />}
    </Link>
  )
}
