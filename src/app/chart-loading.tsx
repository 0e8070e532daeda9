import styles from './chart-loading.module.css'

/** What stands in the chart's place until its code is there. */
export const ChartLoading = () => (
  <p className={styles.loading} role="status">
    Loading historical data for chart...
  </p>
)
