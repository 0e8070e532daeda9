import type { ComponentPropsWithRef, ComponentType } from 'react'
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

type ButtonIcon = ComponentType<{ readonly 'aria-hidden': 'true' }>

export type ButtonProps = ComponentPropsWithRef<'button'> & Look & { readonly icon?: ButtonIcon | undefined }

export function Button({ variant, size, icon: Icon, className, children, type = 'button', ...rest }: ButtonProps) {
  const look = { ...(variant && { variant }), ...(size && { size }) }
  return (
    <button {...rest} type={type} className={classNames(buttonClass(look), className)}>
      {Icon && <Icon aria-hidden="true" />}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'aria-label' | 'children'> {
  /** The accessible name; also shown as a hint on hover unless `title` says otherwise. */
  readonly label: string
  readonly icon: ButtonIcon
  readonly size?: ButtonSize
}

export const IconButton = ({ label, icon: Icon, size = 'md', className, ...rest }: IconButtonProps) => (
  <button
    title={label}
    {...rest}
    type="button"
    aria-label={label}
    className={classNames(buttonClass({ variant: 'ghost', size }), styles.icon, className)}
  >
    <Icon aria-hidden="true" />
  </button>
)

/** The class of what stands in a line of text and leads on, link or button. */
export const linkClass = styles.link

/** Looks like a link, and changes what is shown here instead of the address. */
export const LinkButton = ({ className, ...rest }: ComponentPropsWithRef<'button'>) => (
  <button {...rest} type="button" className={classNames(linkClass, className)} />
)
