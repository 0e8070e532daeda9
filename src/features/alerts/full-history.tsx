import { History } from 'lucide-react'
import styles from './full-history.module.css'

/** The specification's placeholder: what the list above does not reach. */
export const FullHistory = () => (
  <div className={styles.place}>
    <History aria-hidden="true" className={styles.icon} />
    <div>
      <p className={styles.soon}>COMING SOON</p>
      <p className={styles.text}>
        Crossings of more than 90 days ago. The server keeps them for 400 days: Download my data in Settings has them
        all.
      </p>
    </div>
  </div>
)
