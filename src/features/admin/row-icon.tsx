import type { LucideIcon } from 'lucide-react'
import styles from './row-icon.module.css'

/** Icon for the subject of a row; stands in the grid area `icon` of the row. */
export const RowIcon = ({ icon: Icon }: { readonly icon: LucideIcon }) => (
  <Icon aria-hidden="true" className={styles.icon} />
)
