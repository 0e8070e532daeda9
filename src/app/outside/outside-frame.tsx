import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Brand } from '../../features/shell/brand'
import { MAIN_ID } from '../../features/shell/shell'
import { DASHBOARD } from '../addresses'
import styles from './outside-frame.module.css'

/** What stands around a page without the shell: the name of the app, which leads to it, and the page in the middle. */
export function OutsideFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <Link href={DASHBOARD} className={styles.home} aria-label="Crypto Ratio Tracker, to the dashboard">
          <Brand />
        </Link>
      </header>
      <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
        {children}
      </main>
    </div>
  )
}
