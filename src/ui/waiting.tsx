import type { ReactNode } from 'react'
import styles from './waiting.module.css'

/** What a screen waits for, in the middle of it. What takes no time says nothing. */
export const Waiting = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles.waiting} role="status">
    {children}
  </p>
)
