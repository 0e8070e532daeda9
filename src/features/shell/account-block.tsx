import { useAtomValue, useSetAtom } from 'jotai'
import { LogOut } from 'lucide-react'
import { accountAtom } from '../../state/account'
import { authOpenAtom, logOutOpenAtom } from '../../state/panels'
import { Button } from '../../ui/button'
import { TierBadge } from '../../ui/tier-badge'
import styles from './account-block.module.css'

/** Who uses the app, and the way in or out; in the sidebar, the drawer and the phone's account sheet. */
export function AccountBlock({ onNavigate }: { readonly onNavigate?: (() => void) | undefined }) {
  const account = useAtomValue(accountAtom)
  const openAuth = useSetAtom(authOpenAtom)
  const logOut = useSetAtom(logOutOpenAtom)
  if (account === undefined) return <div className={styles.block} />

  // What floats above closes first: its dialog would give the focus back to something that is gone.
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
          <Button variant="primary" onClick={then(() => openAuth({ view: 'login' }))}>
            Login
          </Button>
          <Button onClick={then(() => openAuth({ view: 'register' }))}>Register</Button>
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
        <Button variant="ghost" size="sm" icon={<LogOut aria-hidden="true" />} onClick={then(() => logOut(true))}>
          Logout
        </Button>
      </div>
    </div>
  )
}
