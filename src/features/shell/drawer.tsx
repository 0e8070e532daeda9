import { X } from 'lucide-react'
import { IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import stack from '../../ui/stack.module.css'
import { useModal } from '../../ui/use-modal'
import { Brand } from './brand'
import styles from './drawer.module.css'
import { NavList } from './navigation'
import { AccountBlock, ShellFoot, UpgradeBanner } from './shell-foot'

interface PhoneDialogProps {
  readonly onClose: () => void
}

/** The whole navigation on a phone, slid in from the left; open while it is rendered. */
export function Drawer({ onClose }: PhoneDialogProps) {
  const ref = useModal(onClose)
  return (
    <dialog ref={ref} className={styles.drawer} aria-label="Menu" data-toasts="inside">
      <div className={styles.frame}>
        <div className={styles.top}>
          <Brand />
          <IconButton label="Close menu" icon={X} onClick={onClose} />
        </div>
        <nav aria-label="Main menu">
          <NavList onNavigate={onClose} />
        </nav>
        <ShellFoot onNavigate={onClose} />
      </div>
    </dialog>
  )
}

/** The current user, on a phone; the sheet closes before its target opens. */
export const AccountSheet = ({ onClose }: PhoneDialogProps) => (
  <Dialog title="Account" onClose={onClose}>
    <div className={stack.gap4}>
      <AccountBlock onNavigate={onClose} />
      <UpgradeBanner onNavigate={onClose} />
    </div>
  </Dialog>
)
