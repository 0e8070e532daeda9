import { History } from 'lucide-react'
import styles from './full-history.module.css'

/** The specification's placeholder. */
export const FullHistory = () => (
  <div className={styles.place}>
    <History aria-hidden="true" className={styles.icon} />
    <div>
      <p className={styles.soon}>COMING SOON</p>
      <p className={styles.text}>The full history of your alerts, the same on every device.</p>
    </div>
  </div>
)
