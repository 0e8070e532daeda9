import { useAtomValue, useSetAtom } from 'jotai'
import { Sparkles } from 'lucide-react'
import { accountAtom } from '../../state/account'
import { openOverlayAtom } from '../../state/overlays'
import { useTierLimits } from '../../state/server-settings'
import { Button } from '../../ui/button'
import styles from './upgrade-banner.module.css'

/** Benefits of Premium, for users who do not have it. */
export function UpgradeBanner({ onNavigate }: { readonly onNavigate?: (() => void) | undefined }) {
  const account = useAtomValue(accountAtom)?.account
  const premium = useTierLimits()?.premium
  const openOverlay = useSetAtom(openOverlayAtom)
  if (account === undefined || account === 'premium' || premium === undefined) return null

  const upgrade = () => {
    onNavigate?.()
    openOverlay({ kind: 'upgrade' })
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
