import { Dialog } from '../../ui/dialog'
import { AccountBlock } from './account-block'
import styles from './account-sheet.module.css'
import { UpgradeBanner } from './upgrade-banner'

/** The current user, on a phone; the sheet closes before its target opens. */
export function AccountSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Account" onClose={onClose}>
      <div className={styles.sheet}>
        <AccountBlock onNavigate={onClose} />
        <UpgradeBanner onNavigate={onClose} />
      </div>
    </Dialog>
  )
}
