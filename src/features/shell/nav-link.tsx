import { type LucideIcon } from 'lucide-react'
import { type ComponentType, useId } from 'react'
import { Link, useLocation } from 'wouter'

export interface Destination {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** Also in the bottom bar of a phone, which has room for few. */
  readonly inTabBar: boolean
  /** Count of new things there; `id` is that of the element that shows the count. */
  readonly News?: ComponentType<{ readonly id: string }>
}

export interface NavigationProps {
  /** Closes the dialog that the navigation stands in, if any. */
  readonly onNavigate?: (() => void) | undefined
}

interface NavLinkProps extends NavigationProps {
  readonly to: Destination
  readonly className: string | undefined
}

export function NavLink({ to: { path, label, icon: Icon, News }, className, onNavigate }: NavLinkProps) {
  const [location] = useLocation()
  const newsId = useId()
  return (
    <Link
      href={path}
      className={className ?? ''}
      aria-current={isCurrent(path, location) ? 'page' : undefined}
      aria-describedby={News && newsId}
      {...(onNavigate && { onClick: onNavigate })}
    >
      <Icon aria-hidden="true" />
      {label}
      {News && <News id={newsId} />}
    </Link>
  )
}

/** Addresses below an entry belong to it, and a chart to the dashboard: that entry stays marked. */
const isCurrent = (path: string, location: string): boolean =>
  path === '/'
    ? location === '/' || location.startsWith('/chart/')
    : location === path || location.startsWith(`${path}/`)
