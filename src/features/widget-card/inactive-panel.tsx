import { Lock } from 'lucide-react'
import styles from './inactive-panel.module.css'

/** Takes the place of an inactive card's figures and says why there are none. */
export function InactivePanel({ title, reason }: { readonly title: string; readonly reason: string }) {
  return (
    <div className={styles.panel}>
      <Lock aria-hidden="true" className={styles.icon} />
      <p className={styles.title}>{title}</p>
      <p className={styles.reason}>{reason}</p>
    </div>
  )
}
