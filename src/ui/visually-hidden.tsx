import type { ComponentPropsWithRef } from 'react'
import styles from './visually-hidden.module.css'

/** Read by screen readers, not drawn. */
export function VisuallyHidden(props: Omit<ComponentPropsWithRef<'span'>, 'className'>) {
  return <span {...props} className={styles.hidden} />
}
