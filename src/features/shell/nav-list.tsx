import { useAtomValue } from 'jotai'
import { Fragment } from 'react'
import { accountAtom } from '../../state/account'
import { lastingPart } from '../../ui/lasting-part'
import { AddPairButton } from './add-pair-button'
import { DESTINATIONS } from './destinations'
import { FeedbackButton } from './feedback-button'
import item from './nav-item.module.css'
import { NavLink } from './nav-link'
import styles from './nav-list.module.css'

const AdminLink = lastingPart(async () => (await import('./admin-link')).AdminLink)

/** All destinations, with "Add Pair" in its place after the dashboard; in the sidebar and in the drawer. */
export function NavList({ onNavigate }: { readonly onNavigate?: () => void }) {
  const superuser = useAtomValue(accountAtom)?.user?.is_superuser === true
  return (
    <ul className={styles.list}>
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
