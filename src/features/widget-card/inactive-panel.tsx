import { Lock } from 'lucide-react'
import type { InactiveNotice } from '../../state/card-slot'
import { Button } from '../../ui/button'
import styles from './inactive-panel.module.css'

interface InactivePanelProps {
  readonly notice: InactiveNotice
  readonly onUpgrade: (mode: 'login' | 'upgrade') => void
}

/** Takes the place of an inactive card's figures, says why there are none and what would bring them back. */
export function InactivePanel({ notice, onUpgrade }: InactivePanelProps) {
  const { title, reason, upgrade } = notice
  return (
    <div className={styles.panel} data-reason={notice.code}>
      <p className={styles.title}>
        <Lock aria-hidden="true" className={styles.icon} />
        {title}
      </p>
      <p className={styles.reason}>{reason}</p>
      {upgrade !== null && (
        <Button size="sm" className={styles.upgrade} onClick={() => onUpgrade(upgrade)}>
          {upgrade === 'login' ? 'Log in to upgrade' : 'Upgrade'}
        </Button>
      )}
    </div>
  )
}
