import { useSetAtom } from 'jotai'
import { CircleUserRound, Menu } from 'lucide-react'
import { useState } from 'react'
import { reportMissingChunkAtom } from '../../state/toasts'
import { IconButton } from '../../ui/button'
import { optionalComponent } from '../../ui/deferred-component'
import { Brand, SourceBadge } from './brand'
import { TabBar } from './navigation'
import styles from './top-bar.module.css'

const Drawer = optionalComponent(async () => (await import('./drawer')).Drawer)

/** The upper bar of a phone. @param withTabs whether the window is too low for a tab bar below */
export function TopBar({ withTabs }: { readonly withTabs: boolean }) {
  const [open, setOpen] = useState(false)
  const reportMissingChunk = useSetAtom(reportMissingChunkAtom)
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
      {open && <Drawer onClose={close} onMissing={() => reportMissingChunk(close)} />}
    </header>
  )
}

const AccountSheet = optionalComponent(async () => (await import('./account-sheet')).AccountSheet)

/** The phone's way to the account, without the detour by the menu. */
function AccountButton() {
  const [open, setOpen] = useState(false)
  const reportMissingChunk = useSetAtom(reportMissingChunkAtom)
  const close = () => setOpen(false)
  return (
    <>
      <IconButton label="Account" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        <CircleUserRound aria-hidden="true" />
      </IconButton>
      {open && <AccountSheet onClose={close} onMissing={() => reportMissingChunk(close)} />}
    </>
  )
}
