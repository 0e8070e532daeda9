import { useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Brand } from '../../features/shell/brand'
import { MAIN_ID } from '../../features/shell/shell'
import { policyOpenAtom } from '../../state/panels'
import { LinkButton } from '../../ui/link-button'
import { DASHBOARD } from '../addresses'
import styles from './outside-frame.module.css'

/** What stands around a page without the shell: the name of the app, which leads to it, and what the law asks for. */
export function OutsideFrame({ children }: { readonly children: ReactNode }) {
  const read = useSetAtom(policyOpenAtom)
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
        <LinkButton onClick={() => read('terms')}>Terms of Use</LinkButton>
        <LinkButton onClick={() => read('privacy')}>Privacy Policy</LinkButton>
      </footer>
    </div>
  )
}
