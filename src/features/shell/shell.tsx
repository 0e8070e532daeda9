import { useAtomValue, useSetAtom } from 'jotai'
import { CircleUserRound, type LucideIcon, Menu } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { accountAtom } from '../../state/account'
import { openDialogAtom } from '../../state/open-dialogs'
import { liveExchangesAtom } from '../../state/price-origin'
import { useConfig } from '../../state/server-settings'
import { DESK, LOW, useMediaQuery, WIDE } from '../../ui/browser-state'
import { IconButton } from '../../ui/button'
import { lateComponent, lateDialog } from '../../ui/late-component'
import { Brand, SourceBadge } from './brand'
import { NavList, TabBar } from './navigation'
import { LegalLinks, ShellFoot } from './shell-foot'
import styles from './shell.module.css'

const AccountSheet = lateDialog(async () => (await import('./drawer')).AccountSheet)
const Drawer = lateDialog(async () => (await import('./drawer')).Drawer)
const SyncLine = lateComponent(async () => (await import('./sync-line')).SyncLine)

/** Target of the skip link, and of the focus after a change of screen. */
export const MAIN_ID = 'main'

/**
 * The frame of every screen: a sidebar, which is a rail below 1024 px; on a phone bars above and below. A low window has
 * neither bar: the top bar holds the tabs and is a rail where there is width for one, and else scrolls away.
 */
export function Shell({ children }: { readonly children: ReactNode }) {
  const wide = useMediaQuery(WIDE)
  const low = useMediaQuery(LOW)
  const side = useMediaQuery(DESK) || (wide && !low)
  return (
    <div className={styles.shell}>
      <a href={`#${MAIN_ID}`} className={styles.skip}>
        Skip to content
      </a>
      {side ? <Sidebar /> : <TopBar withTabs={low} />}
      <div className={styles.column}>
        <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
          {children}
        </main>
        <div className={styles.main}>
          <Footer />
        </div>
        <div className={styles.bottom}>
          <SyncLine />
          {!side && !low && <TabBar />}
        </div>
      </div>
    </div>
  )
}

/** Navigation from 768 px; below 1024 px its container is so narrow that its parts show themselves as a rail. */
const Sidebar = () => (
  <header className={styles.sidebar}>
    <div className={styles.brand}>
      <Brand />
    </div>
    <nav aria-label="Main">
      <NavList />
    </nav>
    <div className={styles.source}>
      <SourceBadge />
    </div>
    <ShellFoot />
  </header>
)

/** The upper bar of a phone. @param withTabs true if the window is too low for a tab bar below */
const TopBar = ({ withTabs }: { readonly withTabs: boolean }) => (
  <header className={styles.topBar}>
    <DialogButton label="Open menu" icon={Menu} Dialog={Drawer} />
    <div className={styles.topBrand}>
      <Brand short />
    </div>
    {withTabs && <TabBar />}
    <div className={styles.topEnd}>
      <SourceBadge />
      <AccountButton />
    </div>
  </header>
)

/** A guest's account begins with the form: the menu has "Login" and "Register" beside what else the sheet shows. */
function AccountButton() {
  const isGuest = useAtomValue(accountAtom)?.user === null
  const openDialog = useSetAtom(openDialogAtom)
  const instead = isGuest ? () => openDialog({ kind: 'auth', view: 'login' }) : undefined
  return <DialogButton label="Account" icon={CircleUserRound} Dialog={AccountSheet} instead={instead} />
}

interface DialogButtonProps {
  readonly label: string
  readonly icon: LucideIcon
  readonly Dialog: typeof Drawer
  /** Opens another dialog. */
  readonly instead?: (() => void) | undefined
}

/** A button and the dialog that it opens, whose code is loaded at the first press. */
function DialogButton({ label, icon: Icon, Dialog, instead }: DialogButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={label}
        icon={Icon}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={instead ?? (() => setOpen(true))}
      />
      {open && <Dialog onClose={() => setOpen(false)} />}
    </>
  )
}

/** Source of the prices, and the policies; part of every screen. */
const Footer = () => (
  <footer className={styles.footer}>
    <Credit />
    <LegalLinks />
  </footer>
)

/** The words of an attribution before the provider's name. */
const PROVIDED_BY = /^Data provided by /

function Credit() {
  const market = useConfig()?.market_data
  const exchanges = useAtomValue(allExchangesAtom)
  if (market === undefined) return null
  if (market.source === 'simulated') return <p>Prices are simulated: good for trying things out, not for trading.</p>
  const { text, url } = market.attribution
  const words = exchanges === '' ? text : text.replace(PROVIDED_BY, '')
  const provider =
    url === null ? (
      words
    ) : (
      <a href={url} target="_blank" rel="noreferrer">
        {words}
      </a>
    )
  return exchanges === '' && url !== null ? (
    provider
  ) : (
    <p>
      {exchanges !== '' && `Live: ${exchanges} · History: `}
      {provider}
    </p>
  )
}

const allExchangesAtom = liveExchangesAtom(null)
