import { AccountBlock } from './account-block'
import { LegalLinks } from './legal-links'
import styles from './shell-foot.module.css'
import { UpgradeBanner } from './upgrade-banner'

/** Foot below the destinations, in the sidebar and in the drawer. */
export function ShellFoot({ onNavigate }: { readonly onNavigate?: () => void }) {
  return (
    <div className={styles.foot}>
      <UpgradeBanner onNavigate={onNavigate} />
      <div className={styles.account}>
        <AccountBlock onNavigate={onNavigate} />
      </div>
      <LegalLinks onNavigate={onNavigate} />
    </div>
  )
}
