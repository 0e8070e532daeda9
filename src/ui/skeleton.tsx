import type { CSSProperties, ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './skeleton.module.css'

interface SkeletonProps {
  /** CSS lengths of what will stand here. */
  readonly width?: CSSProperties['width']
  readonly height?: CSSProperties['height']
  readonly className?: string | undefined
}

/** The size of what comes; says nothing to screen readers, the container's `aria-busy` does. */
export function Skeleton({ width = '100%', height = '1rem', className }: SkeletonProps) {
  return <span aria-hidden="true" className={classNames(styles.skeleton, className)} style={{ width, height }} />
}

/** Indicator in the middle of a screen that waits; a short wait shows nothing. */
export const Waiting = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles.waiting} role="status">
    {children}
  </p>
)
