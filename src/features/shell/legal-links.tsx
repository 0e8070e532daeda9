import { useSetAtom } from 'jotai'
import { openOverlayAtom } from '../../state/overlays'
import { LinkButton } from '../../ui/link-button'
import styles from './legal-links.module.css'

/** Links to the legal texts, on each screen; the texts open in a dialog. */
export function LegalLinks({ onNavigate }: { readonly onNavigate?: (() => void) | undefined }) {
  const openOverlay = useSetAtom(openOverlayAtom)
  const open = (policy: 'terms' | 'privacy') => () => {
    onNavigate?.()
    openOverlay({ kind: 'policy', policy })
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
