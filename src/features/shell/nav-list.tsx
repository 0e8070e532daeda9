import { useAtomValue, useSetAtom } from 'jotai'
import { Fragment, useId } from 'react'
import { MessageSquare } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { accountAtom } from '../../state/account'
import { openOverlayAtom } from '../../state/overlays'
import { deferredComponent } from '../../ui/deferred-component'
import { AddPairButton } from './add-pair-button'
import { type Destination, DESTINATIONS, isCurrent } from './destinations'
import item from './nav-item.module.css'
import stack from '../../ui/stack.module.css'
import styles from './nav-list.module.css'

const AdminLink = deferredComponent(async () => (await import('./admin-link')).AdminLink)

/** All destinations, with "Add Pair" in its place after the dashboard; in the sidebar and in the drawer. */
export function NavList({ onNavigate }: { readonly onNavigate?: () => void }) {
  const superuser = useAtomValue(accountAtom)?.user?.is_superuser === true
  return (
    <ul className={stack.gap1}>
      {DESTINATIONS.map((destination) => (
        <Fragment key={destination.path}>
          <li>
            <NavLink to={destination} className={item.item} onNavigate={onNavigate} />
          </li>
          {destination.path === '/' && (
            <li className={styles.stretch}>
              <AddPairButton className={item.item} tooltipSide="below" onOpen={onNavigate} />
            </li>
          )}
        </Fragment>
      ))}
      <li>
        <FeedbackButton className={item.item} onOpen={onNavigate} />
      </li>
      {superuser && (
        <li>
          <AdminLink className={item.item} onNavigate={onNavigate} />
        </li>
      )}
    </ul>
  )
}

interface FeedbackButtonProps {
  readonly className: string | undefined
  readonly onOpen?: (() => void) | undefined
}

function FeedbackButton({ className, onOpen }: FeedbackButtonProps) {
  const openOverlay = useSetAtom(openOverlayAtom)
  const ask = () => {
    onOpen?.()
    openOverlay({ kind: 'feedback' })
  }
  return (
    <button type="button" className={className} onClick={ask}>
      <MessageSquare aria-hidden="true" />
      Feedback
    </button>
  )
}

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
