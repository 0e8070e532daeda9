import type { ReactNode } from 'react'
import { useConfig } from '../../state/server-settings'
import { deferredComponent } from '../../ui/deferred-component'
import { DESK, LOW, useMediaQuery, WIDE } from '../../ui/browser-state'
import { Brand, SourceBadge } from './brand'
import { LegalLinks, ShellFoot } from './shell-foot'
import { NavList, TabBar } from './navigation'
import styles from './shell.module.css'
import { TopBar } from './top-bar'

const SyncLine = deferredComponent(async () => (await import('./sync-line')).SyncLine)

/** Target of the skip link, and of the focus after a change of screen. */
export const MAIN_ID = 'main'

/**
 * The frame of every screen: a sidebar, which is a rail below 1024 px; on a phone bars above and below. A low window has
 * neither bar: the top bar holds the tabs and is a rail where there is width for one, and else scrolls away.
 */
export function Shell({ children }: { readonly children: ReactNode }) {
  const wide = useMediaQuery(WIDE)
  const low = useMediaQuery(LOW)
  const side = useMediaQuery(DESK) || (wide && !low)
  return (
    <div className={styles.shell}>
      <a href={`#${MAIN_ID}`} className={styles.skip}>
        Skip to content
      </a>
      {side ? <Sidebar /> : <TopBar withTabs={low} />}
      <div className={styles.column}>
        <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
          {children}
        </main>
        <div className={styles.main}>
          <Footer />
        </div>
        <div className={styles.bottom}>
          <SyncLine />
          {!side && !low && <TabBar />}
        </div>
      </div>
    </div>
  )
}

/** Navigation from 768 px; below 1024 px its container is so narrow that its parts show themselves as a rail. */
function Sidebar() {
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

/** Whose data it is, and the policies; part of every screen. */
function Footer() {
  return (
    <footer className={styles.footer}>
      <Credit />
      <LegalLinks />
    </footer>
  )
}

function Credit() {
  const market = useConfig()?.market_data
  if (market === undefined) return null
  if (market.source === 'simulated') return <p>Prices are simulated: good for trying things out, not for trading.</p>
  const { text, url } = market.attribution
  if (url === null) return <p>{text}</p>
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  )
}
