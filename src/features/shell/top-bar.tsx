import { useSetAtom } from 'jotai'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { partMissingAtom } from '../../state/toasts'
import { IconButton } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'
import { AccountButton } from './account-button'
import { Brand } from './brand'
import { SourceBadge } from './source-badge'
import { TabBar } from './tab-bar'
import styles from './top-bar.module.css'

const Drawer = lazyPart(async () => (await import('./drawer')).Drawer)

/** The upper bar of a phone. @param withTabs whether the window is too low for a tab bar below */
export function TopBar({ withTabs }: { readonly withTabs: boolean }) {
  const [open, setOpen] = useState(false)
  const partMissing = useSetAtom(partMissingAtom)
  const close = () => setOpen(false)
  return (
    <header className={styles.bar}>
      <IconButton label="Open menu" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        <Menu aria-hidden="true" />
      </IconButton>
      <div className={styles.brand}>
        <Brand short />
      </div>
      {withTabs && <TabBar />}
      <div className={styles.end}>
        <SourceBadge />
        <AccountButton />
      </div>
      {open && <Drawer onClose={close} onMissing={() => partMissing(close)} />}
    </header>
  )
}
