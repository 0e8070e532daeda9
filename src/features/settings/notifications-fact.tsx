import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { HIDDEN_WINDOWS } from '../../state/hidden-windows'
import { pushStateAtom } from '../../state/push'
import { PUSH_WORDS } from '../../state/push-words'
import { linkClass } from '../../ui/link-button'
import styles from './settings-page.module.css'

/**
 * Every plan has alerts; whether this device is told of them is another matter, and decided on the Alerts page.
 * @param waiting stands there until it is known
 */
export function NotificationsFact({ waiting }: { readonly waiting: ReactNode }) {
  const state = useAtomValue(pushStateAtom)
  if (state === undefined) return waiting
  if (state !== 'off' && state !== 'needs-home-screen') return PUSH_WORDS[state]
  return (
    <Link href="/alerts" className={linkClass}>
      Enable
    </Link>
  )
}

/** Says how alerts arrive on a device without notifications; renders nothing where there are some, or while that is unknown. */
export function HiddenWindowsNote() {
  const state = useAtomValue(pushStateAtom)
  if (state === undefined || state === 'on') return null
  return <p className={styles.note}>{HIDDEN_WINDOWS}</p>
}
