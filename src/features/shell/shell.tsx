import type { ReactNode } from 'react'
import { lastingPart } from '../../ui/lasting-part'
import { DESK, LOW, useMediaQuery, WIDE } from '../../ui/use-media-query'
import { Footer } from './footer'
import styles from './shell.module.css'
import { Sidebar } from './sidebar'
import { TabBar } from './tab-bar'
import { TopBar } from './top-bar'

const SyncLine = lastingPart(async () => (await import('./sync-line')).SyncLine)

/** Where the skip link leads and focus goes after a change of screen. */
export const MAIN_ID = 'main'

interface ShellProps {
  readonly children: ReactNode
  readonly onOpenChanges: () => void
}

/**
 * The frame of every screen: a sidebar, which is a rail below 1024 px; on a phone bars above and below. A low window has
 * neither bar: the top bar holds the tabs and is a rail where there is width for one, and else scrolls away.
 */
export function Shell({ children, onOpenChanges }: ShellProps) {
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
          <SyncLine onOpenChanges={onOpenChanges} />
          {!side && !low && <TabBar />}
        </div>
      </div>
    </div>
  )
}
