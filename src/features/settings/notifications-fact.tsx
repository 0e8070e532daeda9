import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { pushStateAtom } from '../../state/push'
import { PUSH_WORDS } from '../../state/push-words'
import { linkClass } from '../../ui/link-button'

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
