import type { LucideIcon } from 'lucide-react'
import styles from './row-icon.module.css'

/** What a row is about, at a glance; stands in the grid area `icon` of the row. */
export const RowIcon = ({ icon: Icon }: { readonly icon: LucideIcon }) => (
  <Icon aria-hidden="true" className={styles.icon} />
)
