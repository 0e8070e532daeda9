import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type PushState, pushStateAtom } from '../../state/push'
import { linkClass } from '../../ui/link-button'
import styles from './settings-page.module.css'

/** Every plan has alerts; whether this device is told of them is another matter, and decided on the Alerts page. */
export function AlertsIncluded({ children }: { readonly children: ReactNode }) {
  const state = useAtomValue(pushStateAtom)
  if (state === undefined) return children
  return (
    <>
      <span className={styles.aside}>{onThisDevice(state)}</span> {children}
    </>
  )
}

function onThisDevice(state: PushState): ReactNode {
  switch (state) {
    case 'on':
      return 'on for this device'
    case 'off':
    case 'needs-home-screen':
      return (
        <Link href="/alerts" className={linkClass}>
          Turn on here
        </Link>
      )
    case 'blocked':
    case 'unsupported':
      return 'not on this device'
  }
}
