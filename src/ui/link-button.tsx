import type { ComponentPropsWithRef } from 'react'
import { classNames } from './class-names'
import styles from './link-button.module.css'

/** The class of what stands in a line of text and leads on, link or button. */
export const linkClass = styles.link

/** Looks like a link, and changes what is shown here instead of the address. */
export function LinkButton({ className, type = 'button', ...rest }: ComponentPropsWithRef<'button'>) {
  return <button {...rest} type={type} className={classNames(linkClass, className)} />
}
