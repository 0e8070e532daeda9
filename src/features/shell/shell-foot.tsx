import styles from './shell-foot.module.css'
import { UpgradeBanner } from './upgrade-banner'
import { useAtomValue, useSetAtom } from 'jotai'
import { LogOut } from 'lucide-react'
import { accountAtom } from '../../state/account'
import { openOverlayAtom } from '../../state/overlays'
import { Button, LinkButton } from '../../ui/button'
import { TierBadge } from '../../ui/badge'

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

/** The current user, with log in or log out; in the sidebar, the drawer and the phone's account sheet. */
export function AccountBlock({ onNavigate }: { readonly onNavigate?: (() => void) | undefined }) {
  const account = useAtomValue(accountAtom)
  const openOverlay = useSetAtom(openOverlayAtom)
  if (account === undefined) return <div className={styles.block} />

  // The dialog above closes first: it would return the focus to an element that is gone.
  const then = (act: () => void) => () => {
    onNavigate?.()
    act()
  }
  const { user } = account
  if (user === null) {
    return (
      <div className={styles.block}>
        <p className={styles.text}>Log in to find your pairs on every device.</p>
        <div className={styles.choices}>
          <Button variant="primary" onClick={then(() => openOverlay({ kind: 'auth', view: 'login' }))}>
            Login
          </Button>
          <Button onClick={then(() => openOverlay({ kind: 'auth', view: 'register' }))}>Register</Button>
        </div>
      </div>
    )
  }
  return (
    <div className={styles.block}>
      <p className={styles.email} title={user.email}>
        {user.email}
      </p>
      <div className={styles.row}>
        <TierBadge premium={account.account === 'premium'} />
        <Button
          variant="ghost"
          size="sm"
          icon={<LogOut aria-hidden="true" />}
          onClick={then(() => openOverlay({ kind: 'log-out' }))}
        >
          Logout
        </Button>
      </div>
    </div>
  )
}

/** Links to the legal texts, on each screen; the texts open in a dialog. */
export function LegalLinks({ onNavigate }: { readonly onNavigate?: (() => void) | undefined }) {
  const openOverlay = useSetAtom(openOverlayAtom)
  const open = (policy: 'terms' | 'privacy') => () => {
    onNavigate?.()
    openOverlay({ kind: 'policy', policy })
  }
  return (
    <ul className={styles.links} aria-label="Legal">
      <li>
        <LinkButton className={styles.link} onClick={open('terms')}>
          Terms of Use
        </LinkButton>
      </li>
      <li>
        <LinkButton className={styles.link} onClick={open('privacy')}>
          Privacy Policy
        </LinkButton>
      </li>
    </ul>
  )
}
