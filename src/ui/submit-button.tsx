import { BusyButton, type BusyButtonProps } from './busy-button'
import { classNames } from './class-names'
import styles from './submit-button.module.css'

/** Sends its form. */
export function SubmitButton({ className, variant = 'primary', ...rest }: Omit<BusyButtonProps, 'type' | 'icon'>) {
  return <BusyButton {...rest} type="submit" variant={variant} className={classNames(styles.submit, className)} />
}
