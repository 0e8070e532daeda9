import { Fragment } from 'react'
import { AddPairButton } from './add-pair-button'
import { DESTINATIONS } from './destinations'
import { NavLink } from './nav-list'
import styles from './tab-bar.module.css'

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
