import { useSetAtom } from 'jotai'
import { policyOpenAtom } from '../../state/panels'
import { LinkButton } from '../../ui/link-button'
import styles from './legal-links.module.css'

/** What the law wants to be within reach of every screen; the texts open in a dialog. */
export function LegalLinks({ onNavigate }: { readonly onNavigate?: (() => void) | undefined }) {
  const read = useSetAtom(policyOpenAtom)
  const open = (policy: 'terms' | 'privacy') => () => {
    onNavigate?.()
    read(policy)
  }
  return (
    <ul className={styles.links} aria-label="Legal">
      <li>
        <LinkButton className={styles.link} onClick={open('terms')}>
          Terms of Use
        </LinkButton>
      </li>
      <li>
        <LinkButton className={styles.link} onClick={open('privacy')}>
          Privacy Policy
        </LinkButton>
      </li>
    </ul>
  )
}
