import { X } from 'lucide-react'
import { IconButton } from '../../ui/button'
import { useModal } from '../../ui/use-modal'
import { Brand } from './brand'
import styles from './drawer.module.css'
import { NavList } from './navigation'
import { ShellFoot } from './shell-foot'

/** The whole navigation on a phone, slid in from the left; open while it is rendered. */
export function Drawer({ onClose }: { readonly onClose: () => void }) {
  const ref = useModal(onClose)
  return (
    <dialog ref={ref} className={styles.drawer} aria-label="Menu" data-toasts="inside">
      <div className={styles.frame}>
        <div className={styles.top}>
          <Brand />
          <IconButton label="Close menu" onClick={onClose}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
        <nav aria-label="Main menu">
          <NavList onNavigate={onClose} />
        </nav>
        <ShellFoot onNavigate={onClose} />
      </div>
    </dialog>
  )
}
