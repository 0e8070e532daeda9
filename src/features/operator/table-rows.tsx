import type { DeviceFacts } from '../../db/queries/device-facts'
import { withDecimals } from '../../domain/format-number'
import styles from './table-rows.module.css'

/** How much stands in each table of this browser. */
export function TableRows({ rows }: Pick<DeviceFacts, 'rows'>) {
  return (
    <section className={styles.strip} aria-label="Rows on this device">
      <h3 className={styles.title}>Rows on this device</h3>
      <dl className={styles.rows}>
        {rows.map(([table, count]) => (
          <div key={table} className={styles.row}>
            <dt>{table.replaceAll('_', ' ')}</dt>
            <dd className={styles.count}>{withDecimals(count, 0)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
