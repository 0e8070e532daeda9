import { useSetAtom } from 'jotai'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { partMissingAtom } from '../../state/toasts'
import { IconButton } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'
import { AccountButton } from './account-button'
import { Brand } from './brand'
import { SourceBadge } from './source-badge'
import styles from './top-bar.module.css'

const Drawer = lazyPart(async () => (await import('./drawer')).Drawer)

/** The upper bar of a phone. */
export function TopBar() {
  const [open, setOpen] = useState(false)
  const partMissing = useSetAtom(partMissingAtom)
  const close = () => setOpen(false)
  return (
    <header className={styles.bar}>
      <IconButton label="Open menu" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        <Menu aria-hidden="true" />
      </IconButton>
      <Brand short />
      <div className={styles.end}>
        <SourceBadge />
        <AccountButton />
      </div>
      {open && <Drawer onClose={close} onMissing={() => partMissing(close)} />}
    </header>
  )
}
