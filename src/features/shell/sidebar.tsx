import { Brand } from './brand'
import { NavList } from './nav-list'
import { ShellFoot } from './shell-foot'
import styles from './sidebar.module.css'
import { SourceBadge } from './source-badge'

/** Navigation from 768 px; below 1024 px its container is so narrow that its parts show themselves as a rail. */
export function Sidebar() {
  return (
    <header className={styles.sidebar}>
      <div className={styles.brand}>
        <Brand />
      </div>
      <nav aria-label="Main">
        <NavList />
      </nav>
      <div className={styles.source}>
        <SourceBadge />
      </div>
      <ShellFoot />
    </header>
  )
}
