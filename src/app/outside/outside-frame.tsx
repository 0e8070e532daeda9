import { useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Brand } from '../../features/shell/brand'
import { MAIN_ID } from '../../features/shell/shell'
import { openDialogAtom } from '../../state/open-dialogs'
import { LinkButton } from '../../ui/button'
import { DASHBOARD } from '../addresses'
import styles from './outside-frame.module.css'

/** Frame of a page without the shell: the name of the app, which leads to it, and the legal links. */
export function OutsideFrame({ children }: { readonly children: ReactNode }) {
  const openDialog = useSetAtom(openDialogAtom)
  return (
    <div className={styles.frame}>
      <div className={styles.column}>
        <header>
          <Link href={DASHBOARD} className={styles.home}>
            <Brand />
          </Link>
        </header>
        <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </div>
      <footer className={styles.footer}>
        <LinkButton onClick={() => openDialog({ kind: 'policy', policy: 'terms' })}>Terms of Use</LinkButton>
        <LinkButton onClick={() => openDialog({ kind: 'policy', policy: 'privacy' })}>Privacy Policy</LinkButton>
      </footer>
    </div>
  )
}
