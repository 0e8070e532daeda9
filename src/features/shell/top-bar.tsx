import { Menu } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/button'
import { Brand } from './brand'
import { Drawer } from './drawer'
import { SourceBadge } from './source-badge'
import styles from './top-bar.module.css'

/** The upper bar of a phone. */
export function TopBar() {
  const [open, setOpen] = useState(false)
  return (
    <header className={styles.bar}>
      <IconButton label="Open menu" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        <Menu aria-hidden="true" />
      </IconButton>
      <Brand short />
      <div className={styles.end}>
        <SourceBadge />
      </div>
      {open && <Drawer onClose={() => setOpen(false)} />}
    </header>
  )
}
