import { useAtomValue, useSetAtom } from 'jotai'
import { type ComponentType, Fragment, useId } from 'react'
import { Activity, Bell, LayoutDashboard, type LucideIcon, MessageSquare, Plus, Settings } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { accountAtom, showLimitAtom } from '../../state/account'
import { openOverlayAtom } from '../../state/overlays'
import { deferredComponent } from '../../ui/deferred-component'
import item from './nav-item.module.css'
import stack from '../../ui/stack.module.css'
import styles from './navigation.module.css'
import { checkRoomForPair } from '../../domain/pair'
import { boardAtom } from '../../state/live-data'
import { Tooltip } from '../../ui/tooltip'

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

const UnseenAlerts = deferredComponent(async () => (await import('./unseen-alerts')).UnseenAlerts)

export interface Destination {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** Also in the bottom bar of a phone, which has room for few. */
  readonly inTabBar: boolean
  /** Count of new things there; `id` is that of the element that shows it. */
  readonly News?: ComponentType<{ readonly id: string }>
}

/** Every screen of its own, in the order of the navigation. */
const DESTINATIONS: readonly Destination[] = [
  { path: '/', label: 'Dashboard', icon: LayoutDashboard, inTabBar: true },
  { path: '/alerts', label: 'Alerts', icon: Bell, inTabBar: true, News: UnseenAlerts },
  { path: '/status', label: 'Status', icon: Activity, inTabBar: true },
  { path: '/settings', label: 'Settings', icon: Settings, inTabBar: false },
]

/** Addresses below an entry belong to it, and a chart to the dashboard: that entry stays marked. */
const isCurrent = (path: string, location: string): boolean =>
  path === '/'
    ? location === '/' || location.startsWith('/chart/')
    : location === path || location.startsWith(`${path}/`)

interface AddPairButtonProps {
  readonly className: string | undefined
  readonly tooltipSide: 'above' | 'below'
  readonly onOpen?: (() => void) | undefined
}

/** Opens "Create New Pair". At the tier's limit it can be focused but not used, and says why. */
function AddPairButton({ className, tooltipSide, onOpen }: AddPairButtonProps) {
  const board = useAtomValue(boardAtom)
  const openOverlay = useSetAtom(openOverlayAtom)
  const showLimit = useSetAtom(showLimitAtom)
  const refusal = board === undefined ? null : checkRoomForPair(board.widgets.length, board.limits)

  const content = (
    <>
      <Plus aria-hidden="true" />
      Add Pair
    </>
  )
  if (refusal === null) {
    const add = () => {
      onOpen?.()
      openOverlay({ kind: 'add-pair' })
    }
    return (
      <button type="button" className={className} onClick={add}>
        {content}
      </button>
    )
  }
  return (
    <Tooltip text={refusal} side={tooltipSide}>
      {(describedBy) => (
        <button
          type="button"
          className={className}
          aria-disabled="true"
          aria-describedby={describedBy}
          onClick={() => showLimit(refusal)}
        >
          {content}
        </button>
      )}
    </Tooltip>
  )
}

/** The lower bar of a phone: what a thumb needs daily. */
export function TabBar() {
  return (
    <nav aria-label="Tabs" className={styles.bar}>
      {DESTINATIONS.filter(({ inTabBar }) => inTabBar).map((destination) => (
        <Fragment key={destination.path}>
          <NavLink to={destination} className={styles.tab} />
          {destination.path === '/' && <AddPairButton className={styles.tab} tooltipSide="above" />}
        </Fragment>
      ))}
    </nav>
  )
}
