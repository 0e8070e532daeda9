import { useAtomValue } from 'jotai'
import { LogOut, Sparkles } from 'lucide-react'
import { accountAtom } from '../../state/account'
import { useTierLimits } from '../../state/server-settings'
import { TierBadge } from '../../ui/badge'
import { Button, LinkButton } from '../../ui/button'
import { useOpenDialog } from './navigation'
import { type NavigationProps } from './nav-link'
import styles from './shell-foot.module.css'

/** Foot below the destinations, in the sidebar and in the drawer. */
export const ShellFoot = (props: NavigationProps) => (
  <div className={styles.foot}>
    <UpgradeBanner {...props} />
    <div className={styles.account}>
      <AccountBlock {...props} />
    </div>
    <LegalLinks {...props} />
  </div>
)

/** Benefits of Premium, for users who do not have it. */
export function UpgradeBanner(props: NavigationProps) {
  const account = useAtomValue(accountAtom)?.account
  const premium = useTierLimits()?.premium
  const openDialog = useOpenDialog(props)
  if (account === undefined || account === 'premium' || premium === undefined) return null
  return (
    <div className={styles.banner}>
      <p className={styles.bannerText}>
        <Sparkles aria-hidden="true" />
        Unlock {premium.max_widgets} total widgets and advanced features!
      </p>
      <Button size="sm" onClick={() => openDialog({ kind: 'upgrade' })}>
        Upgrade
      </Button>
    </div>
  )
}

/** The current user, with log in or log out; in the sidebar, the drawer and the phone's account sheet. */
export function AccountBlock(props: NavigationProps) {
  const account = useAtomValue(accountAtom)
  const openDialog = useOpenDialog(props)
  if (account === undefined) return <div className={styles.block} />
  const { user } = account
  if (user === null) {
    return (
      <div className={styles.block}>
        <p className={styles.text}>Log in to find your pairs on every device.</p>
        <div className={styles.choices}>
          <Button variant="primary" onClick={() => openDialog({ kind: 'auth', view: 'login' })}>
            Login
          </Button>
          <Button onClick={() => openDialog({ kind: 'auth', view: 'register' })}>Register</Button>
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
        <Button variant="ghost" size="sm" icon={LogOut} onClick={() => openDialog({ kind: 'log-out' })}>
          Logout
        </Button>
      </div>
    </div>
  )
}

const LEGAL = [
  { policy: 'terms', name: 'Terms of Use' },
  { policy: 'privacy', name: 'Privacy Policy' },
] as const

/** Links to the legal texts, on each screen; the texts open in a dialog. */
export function LegalLinks(props: NavigationProps) {
  const openDialog = useOpenDialog(props)
  return (
    <ul className={styles.links} aria-label="Legal">
      {LEGAL.map(({ policy, name }) => (
        <li key={policy}>
          <LinkButton className={styles.link} onClick={() => openDialog({ kind: 'policy', policy })}>
            {name}
          </LinkButton>
        </li>
      ))}
    </ul>
  )
}
