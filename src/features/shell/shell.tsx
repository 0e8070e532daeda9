import type { ReactNode } from 'react'
import { lastingPart } from '../../ui/lasting-part'
import { useMediaQuery, WIDE } from '../../ui/use-media-query'
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

/** What stands around every screen: a sidebar from 768 px, bars above and below under that. */
export function Shell({ children, onOpenChanges }: ShellProps) {
  const wide = useMediaQuery(WIDE)
  return (
    <div className={styles.shell}>
      <a href={`#${MAIN_ID}`} className={styles.skip}>
        Skip to content
      </a>
      {wide ? <Sidebar /> : <TopBar />}
      <div className={styles.column}>
        <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
          {children}
        </main>
        <div className={styles.main}>
          <Footer legal={!wide} />
        </div>
        <div className={styles.bottom}>
          <SyncLine onOpenChanges={onOpenChanges} />
          {!wide && <TabBar />}
        </div>
      </div>
    </div>
  )
}
