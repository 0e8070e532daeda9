import { Compass } from 'lucide-react'
import { Link } from 'wouter'
import { buttonClass } from '../../ui/button'
import styles from './not-found-page.module.css'

export const NotFoundPage = () => (
  <section className={styles.page}>
    <span className={styles.icon}>
      <Compass aria-hidden="true" />
    </span>
    <h1>There is no such page</h1>
    <p className={styles.lead}>
      The address may be old or mistyped. Your pairs are on the dashboard; what fired is among the alerts.
    </p>
    <div className={styles.ways}>
      <Link href="/" className={buttonClass({ variant: 'primary' })}>
        Go to the dashboard
      </Link>
      <Link href="/alerts" className={buttonClass()}>
        Open alerts
      </Link>
    </div>
  </section>
)
