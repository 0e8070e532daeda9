import { LoaderCircle } from 'lucide-react'
import styles from './busy-button.module.css'
import { Button, type ButtonProps } from './button'
import { classNames } from './class-names'

export interface BusyButtonProps extends ButtonProps {
  /** True while the button's request is under way. */
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

/** Sends its form. */
export function SubmitButton({ className, variant = 'primary', ...rest }: Omit<BusyButtonProps, 'type' | 'icon'>) {
  return <BusyButton {...rest} type="submit" variant={variant} className={classNames(styles.submit, className)} />
}
