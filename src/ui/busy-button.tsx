import { LoaderCircle } from 'lucide-react'
import { Button, type ButtonProps } from './button'
import styles from './busy-button.module.css'

export interface BusyButtonProps extends ButtonProps {
  /** What it asked for is under way. */
  readonly busy: boolean
}

/** While what it asked for is under way it says so and cannot be used, and keeps the focus that a disabled one loses. */
export function BusyButton({ busy, icon, ...rest }: BusyButtonProps) {
  return (
    <Button
      {...rest}
      {...(busy && { 'aria-disabled': true, 'aria-busy': true })}
      icon={busy ? <LoaderCircle aria-hidden="true" className={styles.spinner} /> : icon}
    />
  )
}
