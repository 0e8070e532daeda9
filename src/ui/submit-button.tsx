import { LoaderCircle } from 'lucide-react'
import { Button, type ButtonProps } from './button'
import { classNames } from './class-names'
import styles from './submit-button.module.css'

interface SubmitButtonProps extends Omit<ButtonProps, 'type' | 'icon'> {
  /** What it asked for is under way. */
  readonly busy: boolean
}

/** Sends its form. While that is under way it says so and does nothing, and keeps the focus that a disabled one loses. */
export function SubmitButton({ busy, className, variant = 'primary', ...rest }: SubmitButtonProps) {
  return (
    <Button
      {...rest}
      type="submit"
      variant={variant}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      className={classNames(styles.submit, className)}
      icon={busy && <LoaderCircle aria-hidden="true" className={styles.spinner} />}
    />
  )
}
