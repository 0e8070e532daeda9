import { useSetAtom } from 'jotai'
import type { InactiveNotice } from '../../state/card-slot'
import { authOpenAtom, upgradeOpenAtom } from '../../state/panels'
import { useTierLimits } from '../../state/use-tier-limits'
import { Button } from '../../ui/button'
import styles from './inactive-head.module.css'
import { inactiveWords } from './inactive-words'

interface InactiveHeadProps {
  readonly notice: InactiveNotice
  /** How many pairs are active. */
  readonly active: number
}

/** Says once for all inactive pairs why they are inactive, and leads to the upgrade where there is one. */
export function InactiveHead({ notice, active }: InactiveHeadProps) {
  const premium = useTierLimits()?.premium.max_widgets
  const openAuth = useSetAtom(authOpenAtom)
  const openUpgrade = useSetAtom(upgradeOpenAtom)
  return (
    <div className={styles.head}>
      <p className={styles.text}>{inactiveWords({ code: notice.code, active, premium })}</p>
      {notice.upgrade === 'upgrade' && (
        <Button variant="primary" size="sm" onClick={() => openUpgrade(true)}>
          Upgrade
        </Button>
      )}
      {notice.upgrade === 'login' && (
        <Button variant="primary" size="sm" onClick={() => openAuth({ view: 'login' })}>
          Log in to upgrade
        </Button>
      )}
    </div>
  )
}
