import { useAtomValue, useSetAtom } from 'jotai'
import { Activity, Bell, LayoutDashboard, MessageSquare, Plus, Radar, Settings } from 'lucide-react'
import { Fragment } from 'react'
import { checkRoomForPair } from '../../domain/new-pair'
import { accountAtom, showLimitAtom } from '../../state/account'
import { boardAtom } from '../../state/live-data'
import { openDialogAtom, type OpenDialog } from '../../state/open-dialogs'
import { lateComponent } from '../../ui/late-component'
import stack from '../../ui/stack.module.css'
import { Tooltip } from '../../ui/tooltip'
import { type Destination, type NavigationProps, NavLink } from './nav-link'
import styles from './navigation.module.css'

const AdminLink = lateComponent(async () => (await import('./admin-link')).AdminLink)
const UnseenAlerts = lateComponent(async () => (await import('./unseen-alerts')).UnseenAlerts)

/** Every screen of its own, in the order of the navigation. */
const DESTINATIONS: readonly Destination[] = [
  { path: '/', label: 'Dashboard', icon: LayoutDashboard, inTabBar: true },
  { path: '/radar', label: 'Radar', icon: Radar, inTabBar: true },
  { path: '/alerts', label: 'Alerts', icon: Bell, inTabBar: true, News: UnseenAlerts },
  { path: '/status', label: 'Status', icon: Activity, inTabBar: true },
  { path: '/settings', label: 'Settings', icon: Settings, inTabBar: false },
]

/** Opens a dialog once the dialog around is closed, which would return the focus to an element that is gone. */
export function useOpenDialog({ onNavigate }: NavigationProps): (dialog: OpenDialog) => void {
  const openDialog = useSetAtom(openDialogAtom)
  return (dialog) => {
    onNavigate?.()
    openDialog(dialog)
  }
}

/** All destinations, with "Add Pair" in its place after the dashboard; in the sidebar and in the drawer. */
export function NavList({ onNavigate }: NavigationProps) {
  const superuser = useAtomValue(accountAtom)?.user?.is_superuser === true
  const openDialog = useOpenDialog({ onNavigate })
  return (
    <ul className={stack.gap1}>
      {DESTINATIONS.map((destination) => (
        <Fragment key={destination.path}>
          <li>
            <NavLink to={destination} className={styles.item} onNavigate={onNavigate} />
          </li>
          {destination.path === '/' && (
            <li className={styles.stretch}>
              <AddPairButton className={styles.item} tooltipSide="below" onNavigate={onNavigate} />
            </li>
          )}
        </Fragment>
      ))}
      <li>
        <button type="button" className={styles.item} onClick={() => openDialog({ kind: 'feedback' })}>
          <MessageSquare aria-hidden="true" />
          Feedback
        </button>
      </li>
      {superuser && (
        <li>
          <AdminLink className={styles.item} onNavigate={onNavigate} />
        </li>
      )}
    </ul>
  )
}

/** The lower bar of a phone, with the daily screens in reach of a thumb. */
export const TabBar = () => (
  <nav aria-label="Tabs" className={styles.bar}>
    {DESTINATIONS.filter(({ inTabBar }) => inTabBar).map((destination) => (
      <Fragment key={destination.path}>
        <NavLink to={destination} className={styles.tab} />
        {destination.path === '/' && <AddPairButton className={styles.tab} tooltipSide="above" />}
      </Fragment>
    ))}
  </nav>
)

interface AddPairButtonProps extends NavigationProps {
  readonly className: string | undefined
  readonly tooltipSide: 'above' | 'below'
}

/** Opens "Create New Pair". At the tier's limit the button can be focused but not used, and says why. */
function AddPairButton({ className, tooltipSide, onNavigate }: AddPairButtonProps) {
  const board = useAtomValue(boardAtom)
  const openDialog = useOpenDialog({ onNavigate })
  const showLimit = useSetAtom(showLimitAtom)
  const refusal = board === undefined ? null : checkRoomForPair(board.widgets.length, board.limits)
  const button = (describedBy?: string) => (
    <button
      type="button"
      className={className}
      aria-disabled={refusal === null ? undefined : true}
      aria-describedby={describedBy}
      onClick={() => (refusal === null ? openDialog({ kind: 'add-pair' }) : showLimit(refusal))}
    >
      <Plus aria-hidden="true" />
      Add Pair
    </button>
  )
  if (refusal === null) return button()
  return (
    <Tooltip text={refusal} side={tooltipSide}>
      {button}
    </Tooltip>
  )
}
