import styles from './saving-label.module.css'

/** The server has not answered the pair's creation yet; it can be used already. */
export function SavingLabel() {
  return <p className={styles.label}>Saving...</p>
}
