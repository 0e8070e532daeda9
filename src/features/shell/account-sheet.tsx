import { Dialog } from '../../ui/dialog'
import { AccountBlock } from './shell-foot'
import stack from '../../ui/stack.module.css'
import { UpgradeBanner } from './upgrade-banner'

/** The current user, on a phone; the sheet closes before its target opens. */
export function AccountSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Account" onClose={onClose}>
      <div className={stack.gap4}>
        <AccountBlock onNavigate={onClose} />
        <UpgradeBanner onNavigate={onClose} />
      </div>
    </Dialog>
  )
}
