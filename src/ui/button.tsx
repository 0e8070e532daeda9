import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names'

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
type ButtonSize = 'md' | 'sm'

interface Look {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
}

/** The class of a button, for links that should look like one. */
export const buttonClass = ({ variant = 'secondary', size = 'md' }: Look = {}): string =>
  classNames(styles.button, styles[variant], size === 'sm' && styles.sm)

export type ButtonProps = ComponentPropsWithRef<'button'> & Look & { readonly icon?: ReactNode }

export function Button({ variant, size, icon, className, children, type = 'button', ...rest }: ButtonProps) {
  const look = { ...(variant && { variant }), ...(size && { size }) }
  return (
    <button {...rest} type={type} className={classNames(buttonClass(look), className)}>
      {icon}
      {children}
    </button>
  )
}

export type IconButtonProps = Omit<ComponentPropsWithRef<'button'>, 'aria-label'> &
  Look & {
    /** The accessible name; also shown as a hint on hover unless `title` says otherwise. */
    readonly label: string
  }

export function IconButton({
  label,
  variant = 'ghost',
  size = 'md',
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      title={label}
      {...rest}
      type={type}
      aria-label={label}
      className={classNames(buttonClass({ variant, size }), styles.icon, className)}
    />
  )
}

/** The class of what stands in a line of text and leads on, link or button. */
export const linkClass = styles.link

/** Looks like a link, and changes what is shown here instead of the address. */
export function LinkButton({ className, type = 'button', ...rest }: ComponentPropsWithRef<'button'>) {
  return <button {...rest} type={type} className={classNames(linkClass, className)} />
}
