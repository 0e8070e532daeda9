import { useAtomValue, useSetAtom } from 'jotai'
import { Sparkles } from 'lucide-react'
import { accountAtom } from '../../state/account'
import { upgradeOpenAtom } from '../../state/panels'
import { useTierLimits } from '../../state/use-tier-limits'
import { Button } from '../../ui/button'
import styles from './upgrade-banner.module.css'

/** What Premium adds, for everybody who does not have it. */
export function UpgradeBanner({ onNavigate }: { readonly onNavigate?: (() => void) | undefined }) {
  const account = useAtomValue(accountAtom)?.account
  const premium = useTierLimits()?.premium
  const open = useSetAtom(upgradeOpenAtom)
  if (account === undefined || account === 'premium' || premium === undefined) return null

  const upgrade = () => {
    onNavigate?.()
    open(true)
  }
  return (
    <div className={styles.banner}>
      <p className={styles.text}>
        <Sparkles aria-hidden="true" />
        Unlock {premium.max_widgets} total widgets and advanced features!
      </p>
      <Button size="sm" onClick={upgrade}>
        Upgrade
      </Button>
    </div>
  )
}
