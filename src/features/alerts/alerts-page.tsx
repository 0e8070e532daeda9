import { Bell } from 'lucide-react'
import { Page } from '../../ui/page'
import styles from './alerts-page.module.css'

/** The specification's placeholder. */
export function AlertsPage() {
  return (
    <Page title="Alerts History">
      <div className={styles.empty}>
        <Bell aria-hidden="true" className={styles.icon} />
        <p className={styles.soon}>COMING SOON</p>
        <p className={styles.text}>
          Every alert that fires will be listed here, with its pair, its ratio and its time.
        </p>
      </div>
    </Page>
  )
}
